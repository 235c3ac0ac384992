"""What became of a state of a batch."""

import enum


class Status(enum.IntEnum):
    """What became of a state: see Robot.last_status.

    >>> plucker.Status(0).name
    'OK'
    """

    OK = 0
    NON_FINITE_INPUT = 1
    SINGULAR_MASS_MATRIX = 2
    NON_FINITE_RESULT = 3
    NO_ATTITUDE = 4
    MISUSE = 5
