"""kill -9 at random moments, with many releases at work on one ledger.

A pool of releases runs all the time, each into a folder of its own, and each is killed after a random time from nothing to a bit
more than a release takes under that load. Meanwhile somebody looks again and again. Then the budget is cut, so that the last
charges are fought over under the same fire, and the rest is spent: never more than there is, and all of it.
"""
import concurrent.futures
import random
import subprocess
import threading
import time
from collections import Counter

from book import Violation, outcomes, spent
from invariants import Witness
from product import ACCOUNT, EPSILON, PATIENCE, Place, Said

# How much longer than a normal release the longest delay is.
BEYOND = 1.2
# How many charges are left to fight over at the end.
LAST = 5


class Storm:
    """Releases at work, and those who kill them."""

    def __init__(self, binary, folder, workers, kills, seed):
        self.place = Place.make(binary, folder)
        self.place.open_account(EPSILON * 100 * (kills + workers))
        self.witness = Witness(self.place, quiet=False)
        self.workers, self.seed = workers, seed
        self.lock, self.over = threading.Lock(), threading.Event()
        self.codes = Counter()
        # What releases said that they delivered: charges by target.
        self.told = {}
        self.looks = 0
        self.span = self.normal_duration() * BEYOND

    def normal_duration(self):
        """Returns how long the slowest of as many releases as there are workers takes, when nobody kills."""
        begun = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(self.workers) as pool:
            running = [pool.submit(self.place.must_release, f"normal-{worker}") for worker in range(self.workers)]
            for worker, release in enumerate(running):
                self.told[f"normal-{worker}"] = release.result()
        return time.monotonic() - begun

    def rage(self, name, kills, allowed):
        """Lets the workers run until so many are killed, and looks meanwhile. Codes other than the allowed ones are violations."""
        goal = self.codes["killed"] + kills
        self.over.clear()
        with concurrent.futures.ThreadPoolExecutor(self.workers) as pool:
            running = [pool.submit(self.work, f"{name}-{worker}", goal, allowed) for worker in range(self.workers)]
            try:
                while not all(worker.done() for worker in running):
                    self.look()
                    concurrent.futures.wait(running, timeout=0.5)
            finally:
                # Nobody goes on after a violation.
                self.over.set()
            for worker in running:
                worker.result()
        self.look()

    def look(self):
        self.looks += 1
        return self.witness.look()

    def work(self, name, goal, allowed):
        """One worker: release after release."""
        chance = random.Random(f"{self.seed} {name}")
        number = 0
        while self.codes["killed"] < goal and not self.over.is_set():
            number += 1
            target = f"{name}-{number}"
            said = self.release(target, chance.uniform(0, self.span))
            with self.lock:
                self.codes["killed" if said.killed else said.code] += 1
                if said.code == 0:
                    self.told[target] = said.json()["charge_id"]
            if not said.killed and said.code not in allowed:
                self.over.set()
                raise Violation(f"a release beside killed ones ended with {said.code}: {said.complaint}")

    def release(self, target, delay):
        """Releases, and kills after a delay."""
        process = self.place.start(self.place.release_command(target))
        try:
            out, err = process.communicate(timeout=min(delay, PATIENCE))
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
        return Said(process.returncode, out, err)

    def settle(self):
        """Nobody runs any more: everything fits together exactly. Returns the last look."""
        self.witness.quiet = True
        look = self.look()
        self.witness.quiet = False
        for target, charge in self.told.items():
            if look.folders.get(target, {}).get("ledger", {}).get("charge_id") != charge:
                raise Violation(f"a release said that it delivered {target}, which is not there")
        return look

    def cut_budget(self):
        """Leaves a few charges only."""
        left = spent(self.settle().entries, ACCOUNT) + LAST * EPSILON
        self.place.must("ledger", "policy", ACCOUNT, "--epsilon", left, "--ledger", "ledger.sqlite")
        return left

    def spend_rest(self, budget):
        """Spends what is left with normal releases: the last one is refused, and the budget is spent to its end."""
        for number in range(LAST + 1):
            said = self.place.release(f"rest-{number}")
            if said.code == 1:
                break
            if said.code != 0:
                raise Violation(f"a normal release after the storm ended with {said.code}: {said.complaint}")
            self.told[f"rest-{number}"] = said.json()["charge_id"]
        else:
            raise Violation("more was granted than the budget allows")
        look = self.settle()
        if look.spent != budget:
            raise Violation(f"refused, although only {look.spent} of {budget} is spent")
        return look


def run(binary, folder, workers, kills, seed):
    """Runs a storm and returns its figures."""
    storm = Storm(binary, folder, workers, kills, seed)
    storm.rage("storm", kills - kills // 10, allowed={0})
    storm.told["calm"] = storm.place.must_release("calm")
    budget = storm.cut_budget()
    storm.rage("last", kills // 10, allowed={0, 1})
    look = storm.spend_rest(budget)
    ended = len(storm.told)
    delivered = list(outcomes(look.entries).values()).count("delivered")
    figures = {
        "kills": storm.codes["killed"], "ended": ended, "refused": storm.codes[1] + 1, "looks": storm.looks,
        "charged": len(look.charges), "folders": len(look.folders), "aside": len(look.aside), "span": storm.span,
        # When the killed ones were killed.
        "before the charge": storm.codes["killed"] - (len(look.charges) - ended),
        "between charge and outcome": len(look.charges) - delivered,
        "between outcome and name": delivered - len(look.folders),
        "after the folder got its name": len(look.folders) - ended,
    }
    if min(figures["before the charge"], figures["between charge and outcome"]) < kills // 50:
        raise Violation(f"the delays do not fit: hardly a kill hit a release at work: {figures}")
    return figures
