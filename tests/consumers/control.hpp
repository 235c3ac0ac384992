// The consumer's own library, static or shared.
#pragma once

// How many results of plucker are not what they should be; they are named on standard error.
int count_mistakes();
