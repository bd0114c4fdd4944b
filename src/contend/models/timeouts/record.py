"""What a network file holds of time-outs: what one costs, how often they were seen, and errors."""

from pydantic import Field, model_validator

from contend.base.document import Processes, Quantity, Record, Size, require_numbers


class TimeoutPoints(Record):
    """Repetitions of each sample, and those of them with a time-out, a column each."""

    n: tuple[Processes, ...] = Field(min_length=1)
    m: tuple[Size, ...]
    launch: tuple[int, ...]
    repetitions: tuple[int, ...]
    late: tuple[int, ...] = Field(description="repetitions with a time-out or more")
    waits: tuple[int, ...] = Field(description="time-outs of these, one after another")

    @model_validator(mode="after")
    def _counts_what_there_is(self) -> "TimeoutPoints":
        columns = [getattr(self, name) for name in type(self).model_fields]
        if len({len(column) for column in columns}) > 1:
            raise ValueError("columns of different lengths")
        for n, m, _, repetitions, late, waits in zip(*columns, strict=True):
            if n < 2 or m < 1 or not 0 <= late <= repetitions or waits < late:
                raise ValueError(f"{late} of {repetitions} repetitions late at n={n}, m={m}")
        return self

    def by_point(self) -> dict[tuple[int, int], tuple[int, int, int]]:
        """Repetitions, those of them that are late and the time-outs of these, by n and m."""
        totals: dict[tuple[int, int], tuple[int, int, int]] = {}
        rows = zip(self.n, self.m, self.repetitions, self.late, self.waits, strict=True)
        for n, m, repetitions, late, waits in rows:
            before = totals.get((n, m), (0, 0, 0))
            totals[n, m] = before[0] + repetitions, before[1] + late, before[2] + waits
        return totals

    def at(self, n: tuple[int, ...], m: tuple[int, ...]) -> "TimeoutPoints | None":
        """Those of some n and m; None where there are none."""
        places = [
            place
            for place, point in enumerate(zip(self.n, self.m, strict=True))
            if point[0] in n and point[1] in m
        ]
        if not places:
            return None
        return TimeoutPoints(
            **{
                name: tuple(getattr(self, name)[place] for place in places)
                for name in type(self).model_fields
            }
        )


class Timeouts(Record):
    """Retransmission time-outs of an operation; its forms are fitted to times without them."""

    cost: Quantity = Field(description="of one time-out, s; low to high: of 90 % of the points")
    n_fitted: tuple[int, ...] = Field(min_length=1, description="n that validation may not judge")
    m_fitted: tuple[int, ...] = Field(min_length=1, description="sizes of these")
    points: TimeoutPoints = Field(description="all known; predictions make use of all of them")

    @model_validator(mode="after")
    def _costs_time(self) -> "Timeouts":
        require_numbers(cost=self.cost)
        if float(self.cost) <= 0:
            raise ValueError(f"a time-out that costs {float(self.cost)} s")
        return self

    @property
    def waits(self) -> float:
        """Time-outs of a repetition that has any, one after another; the mean."""
        return sum(self.points.waits) / max(sum(self.points.late), 1) or 1.0


class TimeoutErrors(Record):
    """What was predicted of time-outs against what was measured, at points that no fit has seen.

    Of times relative to the measured ones, of shares the difference.
    """

    points: int = Field(ge=1)
    n_seen: tuple[int, ...] = Field(min_length=1)
    form: str = Field(description="that predicts the times without a time-out")
    share_mean: float = Field(ge=0)
    share_median: float = Field(ge=0)
    share_worst: float = Field(ge=0)
    inside: float = Field(ge=0, le=1, description="of the shares, within their interval of 90 %")
    clean_points: int = Field(ge=0, description="with repetitions without a time-out")
    clean_median: float | None = Field(None, ge=0)
    clean_worst: float | None = Field(None, ge=0)
    late_points: int = Field(ge=0, description="with repetitions with a time-out")
    late_median: float | None = Field(None, ge=0)
    late_worst: float | None = Field(None, ge=0)
