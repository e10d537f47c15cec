"""The command lines of measuring scripts: `prepare` makes packages on any machine, `measure` runs them on a GPU machine and
goes on where it stopped, `merge` makes one record for docs/performance/data of what several runs left."""
import argparse


class CommandLine:
    """`prepare`, `measure` and `merge` with what they share; a script adds to them what is its own."""

    def __init__(self, doc, unit, jobs=None, rounds=None):
        """`unit` is what is measured one after the other; `jobs` and `rounds` are defaults, without which there is no such flag."""
        self.parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
        self.commands = self.parser.add_subparsers(dest="command", required=True)
        self.prepare, self.measure = self.add("prepare"), self.add("measure")
        self.prepare.add_argument("--tw-compile", default="build/dev/bin/tw-compile")
        if jobs is not None:
            self.prepare.add_argument("--jobs", type=int, default=jobs, help=f"packages made at a time ({jobs})")
        self.measure.add_argument("--packages", required=True, help="the folder that prepare filled")
        self.measure.add_argument("--runtime", required=True, help="libtilewright_rt.so")
        self.measure.add_argument("--limit", type=float, metavar="SECONDS", help=f"begin no {unit} after so long")
        if rounds is not None:
            self.measure.add_argument("--rounds", type=int, default=rounds, help=f"bursts of each candidate ({rounds})")

    def add(self, name, out=True):
        """Another command."""
        command = self.commands.add_parser(name)
        if out:
            command.add_argument("--out", required=True)
        return command

    def add_only(self):
        """A choice of what is prepared and measured, by parts of names."""
        for command in (self.prepare, self.measure):
            command.add_argument("--only", action="append", metavar="TEXT", help="only what has this in its name (repeatable)")

    def add_worker(self):
        """What isolated.py says to processes that it starts."""
        self.measure.add_argument("--worker", help=argparse.SUPPRESS)

    def add_merge(self, commit=False):
        merge = self.add("merge")
        if commit:
            merge.add_argument("--commit", required=True, help="what the packages were built from")
        merge.add_argument("folders", nargs="+", metavar="DIR")
        return merge

    def run(self, **functions):
        """Calls the function of the command that was given."""
        args = self.parser.parse_args()
        return functions[args.command](args)
