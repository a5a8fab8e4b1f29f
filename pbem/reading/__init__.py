"""The reader: a person's line, in either language and possibly sloppy, to moves."""

from pbem.reading.letter import read_orders
from pbem.reading.values import LETTERED, Failure, MailedList, Reading, ReadLine, RefusedLine, Written

__all__ = ["LETTERED", "Failure", "MailedList", "ReadLine", "Reading", "RefusedLine", "Written", "read_orders"]
