"""A share of the drawn verdicts; `make fuzz` counts 2000 of each."""

from tests.fuzz import verdicts


def test_what_is_right_is_never_condemned():
    assert verdicts.condemned(60, seed=1) == []


def test_no_right_table_is_denied():
    assert verdicts.denied(60, seed=1) == []


def test_what_is_random_gets_no_name():
    assert verdicts.undeserved(60, seed=1) == []


def test_one_entry_off_is_not_the_papers_table():
    assert verdicts.paper_with_one_entry_off(60, seed=1) == []
