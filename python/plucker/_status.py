"""The status of a state in a batch."""

import enum

from ._plucker import _status_names


class Status(enum.IntEnum):
    """The status of a state: see Robot.last_status. print() shows it in words.

    >>> print(plucker.Status(1))
    non-finite input
    """

    OK = 0
    NON_FINITE_INPUT = 1
    SINGULAR_MASS_MATRIX = 2
    NON_FINITE_RESULT = 3
    NO_ATTITUDE = 4
    MISUSE = 5

    def __str__(self) -> str:
        return _status_names[self.value]
