"""Which of a question's names the walk starts from (K2)."""

from providers.spelling import key_of
from retrieval.graph import FEW, Known, without_parts


def left(query: str, *names: str) -> list[str]:
    known = [Known(key_of(name), 1, 1, 1.0) for name in sorted(names, key=lambda name: -len(name))]
    kept = [one.name for one in without_parts(known, query)]
    return [name for name in names if key_of(name) in kept]


def test_a_name_within_a_longer_one_is_not_what_the_question_means() -> None:
    assert left("Who sang Can't Fix My Love?", "can't fix my love", "fix", "love") == ["can't fix my love"]


def test_it_is_where_it_also_stands_by_itself() -> None:
    names = ("washington state prison", "washington")
    assert left("Is Washington State Prison in Washington?", *names) == [*names]
    assert left("Where is Washington State Prison?", *names) == [names[0]]


def test_names_that_overlap_both_count() -> None:
    assert left("the New York City Hall", "new york city", "city hall") == ["new york city", "city hall"]


def test_part_of_a_word_is_no_part_of_a_name() -> None:
    assert left("Fixation by Fix", "fixation", "fix") == ["fixation", "fix"]


def test_what_is_spelled_otherwise_than_it_is_asked_stays() -> None:
    assert left("Who leads the U.S.A.?", "usa") == ["usa"]


def test_rare_names_give_most_and_those_that_head_many_passages_less() -> None:
    rare, common = Known("rare", 1, 1, 1.0), Known("common", 60, 1, 1.0)
    assert rare.mass > common.mass > 0
    assert Known("heads", 5, FEW + 1, 1.0).mass == Known("heads", 5, FEW, 1.0).mass / 2
