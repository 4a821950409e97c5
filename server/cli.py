"""The `ibid` command: a thin table of subcommands; each one's work is in a module of its own."""

import argparse
import logging
import sys
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from server.config import BadConfig, Config, load

Command = Callable[[Config, argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit code."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(
        level=logging.DEBUG if options.verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    logging.getLogger("ibid").setLevel(logging.INFO if not options.verbose else logging.DEBUG)
    try:
        return int(options.command(load(), options))
    except BadConfig as error:
        print(error, file=sys.stderr)
        return 2
    except _expected() as error:
        from server.complaints import complaint

        print(complaint(error), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _expected() -> tuple[type[Exception], ...]:
    """What ends in a sentence; looked up only where something was raised, so that --help stays quick."""
    from server.complaints import EXPECTED

    return EXPECTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ibid", description="Self-hosted retrieval whose answers cite their sources."
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="say more")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    _add(commands, "up", _up, "Postgres, server and worker together; what `make run` does")
    serve = _add(commands, "serve", _serve, "the web server")
    worker = _add(
        commands, "worker", _worker, "the worker that ingests documents; any number may share a database"
    )
    for process in (serve, worker):
        process.add_argument("--parent", type=int, help=argparse.SUPPRESS)
    _add(commands, "migrate", _migrate, "bring the database to the newest schema")

    ingest = _add(commands, "ingest", _ingest, "add files, or folders with all that is in them")
    ingest.add_argument("paths", nargs="+", metavar="PATH")
    ingest.add_argument("--folder", metavar="NAME", help="put them into this folder")
    ingest.add_argument("--wait", action="store_true", help="until they are searchable")
    search = _add(commands, "search", _search, "passages for a query")
    search.add_argument("query")
    search.add_argument("--k", type=int, default=8, metavar="N", help="how many (default 8)")
    search.add_argument("--explain", action="store_true", help="why each passage is where it is")
    _add_filters(search)
    ask = _add(commands, "ask", _ask, "an answer with its sources")
    ask.add_argument("question")
    for reader in (ingest, search, ask):
        _add_as(reader)
        reader.add_argument("--json", action="store_true", help="for programs")

    _add(commands, "doctor", _doctor, "check the installation").add_argument("--json", action="store_true")
    _add_user(commands)
    _add_eval(commands)
    _add_bench(commands)
    return parser


def _add_filters(search: argparse.ArgumentParser) -> None:
    """What may be given more than once is met by any of its values."""
    search.add_argument("--folder", metavar="NAME", help="in this folder and those in it")
    for name, metavar, text in (
        ("document", "NAME", "in this document"),
        ("type", "TYPE", "the ending of a file (pdf) or a kind of document (invoice)"),
        ("language", "CODE", "in this language, such as de"),
        ("topic", "WORD", "about this"),
    ):
        search.add_argument(f"--{name}", action="append", metavar=metavar, help=f"{text}; again for more")
    search.add_argument("--since", metavar="DAY", help="from this day on, as 2026-03-31")
    search.add_argument("--until", metavar="DAY", help="to this day")


def _add_as(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--as", dest="email", metavar="EMAIL", help="act as this member instead of the owner")


def _add_user(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    user = commands.add_parser("user", help="members of the workspace").add_subparsers(required=True)
    add = _add(user, "add", _user_add, "one-time link to come in, or for a member to set a new password")
    add.add_argument("address", metavar="EMAIL")
    add.add_argument("--role", default="member", choices=("owner", "admin", "member", "reader"))
    _add_as(add)
    key = commands.add_parser("key", help="keys of stored secrets").add_subparsers(required=True)
    _add(key, "rotate", _key_rotate, "put stored provider keys under the newest SETTINGS_ENCRYPTION_KEY")


def _add_eval(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    evaluations = commands.add_parser("eval", help="measure quality").add_subparsers(required=True)
    retrieval = _add(evaluations, "retrieval", _eval, "nDCG and recall of a BEIR-layout folder")
    retrieval.add_argument("--set", dest="folder", required=True, metavar="DIR")
    retrieval.add_argument("--arms", default="dense,keyword,graph,fused,default", metavar="LIST")
    retrieval.add_argument("--where", metavar="KEY=VALUE", help="only queries with this metadata")
    retrieval.add_argument("--sample", type=int, metavar="N", help="so many queries, spread over the set")
    retrieval.add_argument("--json", action="store_true")
    every = _add(evaluations, "all", _eval_all, "every BEIR-layout folder in a folder")
    every.add_argument("--sets", required=True, metavar="DIR")
    every.add_argument(
        "--write", metavar="FILE", help="a page that takes the figures, such as docs/evaluation.md"
    )
    golden = _add(evaluations, "golden", _eval_golden, "the workspace's own questions and expected documents")
    _add_as(golden)
    golden.add_argument("--json", action="store_true")


def _add_bench(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    benches = commands.add_parser("bench", help="measure speed").add_subparsers(required=True)
    ingest = _add(benches, "ingest", _bench_ingest, "chunks per second against the bare embedder")
    ingest.add_argument("--json", action="store_true")
    ingest.add_argument("--chunks", type=int, default=600, metavar="N")
    search = _add(
        benches, "search", _bench_search, "searches against one bare SQL statement on the same rows"
    )
    search.add_argument("--json", action="store_true")
    search.add_argument(
        "--sizes",
        default="5000,100000",
        metavar="LIST",
        help="passages (default 5000,100000; 1000000 takes an hour)",
    )
    stream = _add(benches, "stream", _bench_stream, "streams through the service against the model's own")
    stream.add_argument("--json", action="store_true")
    stream.add_argument("--streams", type=int, default=500, metavar="N")
    stream.add_argument("--seconds", type=float, default=60, metavar="S", help="of each stream of the load")


def _add(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, command: Command, text: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
    parser.set_defaults(command=command)
    return parser


def _run(main: Coroutine[Any, Any, int]) -> int:
    from server.signals import run

    return run(main)


# Imports are inside: `ibid --help` takes 50 ms, and no command loads what another one needs.


def _up(config: Config, options: argparse.Namespace) -> int:
    from server.supervise import up

    return up(config)


def _serve(config: Config, options: argparse.Namespace) -> int:
    from server.processes import serve

    return serve(config, parent=options.parent)


def _worker(config: Config, options: argparse.Namespace) -> int:
    from server.processes import work

    return work(config, parent=options.parent)


def _migrate(config: Config, options: argparse.Namespace) -> int:
    from server.commands import migrate

    return _run(migrate(config))


def _ingest(config: Config, options: argparse.Namespace) -> int:
    from server.commands import ingest

    return _run(
        ingest(
            config,
            options.paths,
            folder=options.folder,
            wait=options.wait,
            email=options.email,
            as_json=options.json,
        )
    )


def _search(config: Config, options: argparse.Namespace) -> int:
    from server.search.commands import search

    return _run(search(config, options))


def _ask(config: Config, options: argparse.Namespace) -> int:
    from server.commands import ask

    return _run(ask(config, options.question, email=options.email, as_json=options.json))


def _doctor(config: Config, options: argparse.Namespace) -> int:
    from server.doctor import doctor

    return _run(doctor(config, as_json=options.json))


def _user_add(config: Config, options: argparse.Namespace) -> int:
    from server.commands import add_user

    return _run(add_user(config, options.address, role=options.role, email=options.email))


def _key_rotate(config: Config, options: argparse.Namespace) -> int:
    from server.commands import rotate_keys

    return _run(rotate_keys(config))


def _eval(config: Config, options: argparse.Namespace) -> int:
    from server.evaluation.commands import one

    return _run(one(config, options))


def _eval_all(config: Config, options: argparse.Namespace) -> int:
    from server.evaluation.commands import every

    return _run(every(config, options))


def _eval_golden(config: Config, options: argparse.Namespace) -> int:
    from server.search.commands import golden

    return _run(golden(config, email=options.email, json=options.json))


def _bench_ingest(config: Config, options: argparse.Namespace) -> int:
    from server.evaluation.bench_ingest import bench

    return _run(bench(config, chunks=options.chunks, as_json=options.json))


def _bench_search(config: Config, options: argparse.Namespace) -> int:
    from server.evaluation.bench_search import bench

    return _run(bench(config, sizes=[int(size) for size in options.sizes.split(",")], as_json=options.json))


def _bench_stream(config: Config, options: argparse.Namespace) -> int:
    from server.evaluation.bench_stream import bench

    return _run(bench(config, streams=options.streams, seconds=options.seconds, as_json=options.json))


if __name__ == "__main__":
    sys.exit(main())
