"""No case is lost, whatever becomes of its worker."""

from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from multiprocessing import get_context

import deadly
import pytest

from contend.errors import LaunchError
from contend.sweeps.engine import Engine
from contend.sweeps.pools import Here
from contend.sweeps.workers import Workers


def test_every_case_has_one_result_though_workers_are_killed(open_pool, tmp_path):
    tasks = deadly.tasks(tmp_path, 7, {1: 99})
    engine = Engine(deadly.SOURCE, open_pool, window=3, retries=1, work=deadly.run)
    results = list(engine.run(tasks))
    found = dict(results)
    assert sorted(number for number, _ in results) == list(range(7))
    failed = found.pop(1)
    assert failed.attempts == 2
    assert "its worker ended 2 times" in failed.error
    assert all(one.seconds == number for number, one in found.items())


def test_a_case_that_ended_its_worker_once_has_its_time_in_the_end(tmp_path):
    tasks = deadly.tasks(tmp_path, 6, {2: 1, 5: 1})
    engine = Engine(deadly.SOURCE, lambda: Workers(2), window=4, work=deadly.run)
    found = dict(engine.run(tasks))
    assert [found[number].seconds for number in range(6)] == list(range(6))
    for number in (2, 5):  # each ends its own worker once, and may be beside the other's end
        assert 2 <= found[number].attempts <= 3


def test_only_the_case_that_kills_alone_is_blamed(tmp_path):
    """With eight under way at once all are suspects, and one is to blame."""
    tasks = deadly.tasks(tmp_path, 8, {0: 99})
    pool = lambda: Workers(2)  # noqa: E731
    found = dict(Engine(deadly.SOURCE, pool, window=8, retries=1, work=deadly.run).run(tasks))
    assert [number for number, one in found.items() if one.error] == [0]


def test_a_case_that_was_under_way_too_often_is_reported_and_not_begun(tmp_path):
    tasks = deadly.tasks(tmp_path, 3, {})
    engine = Engine(deadly.SOURCE, Here, window=1, retries=2, work=deadly.run)
    found = dict(engine.run(tasks, {0: 3, 1: 2}))
    assert "the sweep was killed" in found[0].error
    assert (found[1].attempts, found[2].attempts) == (3, 1)
    assert not (tmp_path / "0.done").exists()


def test_suspects_of_a_killed_sweep_come_after_all_others(tmp_path):
    tasks = deadly.tasks(tmp_path, 3, {})
    engine = Engine(deadly.SOURCE, Here, window=1, work=deadly.run)
    assert [number for number, _ in engine.run(tasks, {0: 1})] == [1, 2, 0]


def test_an_executor_that_broke_and_is_not_made_anew_leaves_no_case_untold(tmp_path):
    tasks = deadly.tasks(tmp_path, 6, {0: 99})
    with ProcessPoolExecutor(1, get_context("forkserver")) as executor:
        engine = Engine(deadly.SOURCE, lambda: nullcontext(executor), window=2, work=deadly.run,
                        is_reopened=False)  # fmt: skip
        found = dict(engine.run(tasks))
    assert sorted(found) == list(range(6))
    assert "executor" in found[0].error
    assert "not begun" in found[5].error


def test_what_a_worker_raises_is_begun_again_and_then_reported(tmp_path):
    tasks = deadly.tasks(tmp_path, 2, {})
    engine = Engine(deadly.SOURCE, Here, window=1, retries=1, work=deadly.refuse)
    found = dict(engine.run(tasks))
    assert found[1].attempts == 2
    assert "ArithmeticError: case 1" in found[1].error


class Broken(Executor):
    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        future.set_exception(BrokenProcessPool("no memory"))
        return future


def test_a_pool_without_a_worker_is_an_error_not_a_case_that_failed(tmp_path):
    tasks = deadly.tasks(tmp_path, 2, {})
    with pytest.raises(LaunchError, match="no worker answers: BrokenProcessPool: no memory"):
        list(Engine(deadly.SOURCE, Broken, window=1, work=deadly.run).run(tasks))


def test_cases_under_way_are_never_more_than_the_window(tmp_path):
    class Counting(Here):
        most = 0
        begun = 0

    counting = Counting()
    engine = Engine(deadly.SOURCE, lambda: counting, window=3, work=deadly.run)
    engine.begun = lambda number: setattr(counting, "begun", counting.begun + 1)
    for done, _ in enumerate(engine.run(deadly.tasks(tmp_path, 9, {})), start=1):
        counting.most = max(counting.most, counting.begun - done + 1)
    assert counting.most == 3
