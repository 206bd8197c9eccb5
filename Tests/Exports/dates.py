"""Dates of any year, which Python's own do not have."""

import datetime


def nanoseconds_of(text):
    """Nanoseconds since 1970 of RFC 3339 with years of any length."""
    day, _, clock = text.rstrip("Z").rpartition("T")
    sign = -1 if day.startswith("-") else 1
    year, month, day = (int(part) for part in day.lstrip("+-").split("-"))
    eras, year = divmod(sign * year, 400)
    # Every 400 years have the same calendar; Python's begins with the year 1.
    days = eras * 146097 + datetime.date(year + 400, month, day).toordinal() - datetime.date(400, 1, 1).toordinal()
    hours, minutes, seconds = clock.partition(".")[0].split(":")
    fraction = int(clock.partition(".")[2].ljust(9, "0"))
    days_before_1970 = 719528
    second = (days - days_before_1970) * 86400 + int(hours) * 3600 + int(minutes) * 60 + int(seconds)
    return second * 10 ** 9 + fraction
