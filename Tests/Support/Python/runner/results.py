"""Results of jobs: their count, the failures and skips, and where the time goes."""

import collections
import fnmatch
import re
import xml.etree.ElementTree

from harness import ROOT
from harness.results import SKIPPED
from runner.jobs import figures

SLOWEST = 10
# A job over its budget: so many times its CPU seconds in Tests/seconds.tsv, relative to the run's median, and seconds at least.
OVER_BUDGET, OVER_BUDGET_SECONDS = 1.5, 5


class Results:
    """Results so far: the number passed, the names of failures, names and reasons of skips, and the seconds of suites."""

    def __init__(self):
        self.passed, self.failed, self.skipped = 0, [], []
        self.suites = collections.Counter()

    def take(self, job):
        """Adds a job that has ended."""
        if job.report:
            self.take_unit_tests(job)
        elif job.status == 0:
            self.passed += 1
        elif job.status == SKIPPED:
            self.skipped.append((job.title, (job.lines() or [""])[-1] or "no reason is given"))
        else:
            self.failed.append(f"{job.title}: exit status {job.status}")

    def take_unit_tests(self, job):
        """From the xUnit file, or from the output of a process that has ended before it wrote one."""
        failed_before = len(self.failed)
        if job.report.exists():
            for case in xml.etree.ElementTree.parse(job.report).iter("testcase"):
                name = f"{case.get('classname')}/{case.get('name')}"
                self.suites[case.get("classname")] += float(case.get("time") or 0)
                skip = case.find("skipped")
                if skip is not None:
                    self.skipped.append((name, skip.text or "no reason is given"))
                elif case.find("failure") is not None:
                    self.failed.append(name)
                else:
                    self.passed += 1
        else:
            for line in job.lines():
                ended = re.match(r"\S+ Test (?!run\b|case\b)(.*) (passed|failed) after [\d.]+ seconds", line)
                if ended and ended[2] == "passed":
                    self.passed += 1
                elif ended:
                    self.failed.append(ended[1])
            self.failed.append(f"{job.name}: ended with status {job.status} before the last test")
        if job.status != 0 and len(self.failed) == failed_before:
            self.failed.append(f"{job.name}: exit status {job.status}")


def permitted():
    """The patterns of names in Tests/skips."""
    lines = (ROOT / "Tests/skips").read_text(encoding="utf-8").splitlines()
    return [line.split("#")[0].strip() for line in lines if line.split("#")[0].strip()]


def over_budget(jobs, budget):
    """The jobs that take more CPU than their budget; the median of all jobs is the speed of the machine."""
    ratios = {job.name: job.cpu / budget[job.name][0] for job in jobs if budget.get(job.name, (0, 0))[0] > 0}
    if not ratios:
        return []
    median = sorted(ratios.values())[len(ratios) // 2]
    lines = []
    for job in jobs:
        if job.name not in ratios:
            continue
        seconds = budget[job.name][0]
        here = seconds * median
        if job.cpu > OVER_BUDGET * here and job.cpu - here > OVER_BUDGET_SECONDS:
            lines.append(f"over budget: {job.name} took {job.cpu:.0f} s of CPU; its budget is {seconds:.0f} s, here {here:.0f} s: "
                         "see Tests/seconds.tsv")
    return lines


def times(results, jobs):
    """The lines about time: the slowest suites, the seconds of each job, and those over their budgets."""
    lines = [f"The {SLOWEST} slowest suites, in seconds:"]
    lines += [f"{seconds:8.1f}  {suite}" for suite, seconds in results.suites.most_common(SLOWEST)]
    lines += ["Seconds, and seconds of CPU:"]
    lines += [f"{job.wall:8.1f} {job.cpu:8.1f}  {job.name}" for job in sorted(jobs, key=lambda job: -job.wall)]
    lines += over_budget(jobs, figures())
    return lines


def summary(results, permitted_names, is_ci):
    """The lines of failures, of skips, and the count; and the exit status."""
    lines = [f"failed: {name}" for name in results.failed]
    unlisted = 0
    for name, reason in results.skipped:
        is_listed = any(fnmatch.fnmatchcase(name, pattern) for pattern in permitted_names)
        unlisted += not is_listed
        lines.append(f"skipped: {name}: {reason}" + ("" if is_listed else " (not in Tests/skips)"))
    lines.append(f"{results.passed} passed, {len(results.failed)} failed, {len(results.skipped)} skipped")
    return lines, 1 if results.failed or (is_ci and unlisted) else 0
