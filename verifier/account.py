"""The certificate against itself: identity, promise, mechanism, account (C 2 to 6)."""
import hashlib
import json
import math
import re
from fractions import Fraction

from .curve import check_policy, promised
from .general import General
from .kinds import KINDS, universe_of, values_of
from .ladder import Ladder
from .noise import Facts, OneNoise, Tailored
from .numbers import INFINITE, LARGEST_EPSILON, TINY, decimal_cost, need, number, real, text_of, whole
from .odds import check_odds
from .relay import Relay

FIELDS = {
    "certificate": "version software how_to_read request_hash binning_hash dataset snapshot notion curve delta unit"
                   " worst_case_dp sampling universe mechanism theorem exact postprocessing randomness floating_point"
                   " timing assumptions not_protected ledger tables request",
    "unit": "bins_per_person bounding_key neighbours person_rule",
    "universe": "accounted dimensions in_words kind size",
    "theorem": "source statement assumptions epsilon delta",
    "exact": "runs delta worst by_count",
    "not_protected": "columns facts",
    "ledger": "account_opened after charge_id head seq",
}

# Name of a mechanism: its law, and the parameters that it must have (C 5).
LAWS = {
    "geometric": (OneNoise, "epsilon"),
    "group-geometric": (OneNoise, "group epsilon"),
    "suppress-below": (OneNoise, "crowd"),
    "suppress-up-to": (OneNoise, "group"),
    "noise-below": (OneNoise, "crowd epsilon"),
    "noise-up-to": (OneNoise, "group epsilon"),
    "noisy-suppress": (OneNoise, "group epsilon offset"),
    "fading": (OneNoise, "group width epsilon factor"),
    "threshold": (OneNoise, "epsilon threshold"),
    "range": (OneNoise, "epsilon half-width"),
    "tailored-geometric": (Tailored, ""),
    "noisy-noise": (Ladder, "group epsilon offset"),
    "staircase": (Ladder, "epsilons levels publish-levels"),
    "relay": (Relay, "delta cells closed-at"),
    "general": (General, "bound epsilon-a delta-a grid alpha publish-epsilon"),
}

NEAR = 1 + Fraction(1, 10**8)     # how close to the truth an exact cost is
HAIR = 1 + Fraction(1, 10**12)    # what writing a number in 15 digits may add


def sha_of(value):
    """SHA-256 of the canonical text of a JSON value (C 3)."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def same(part, **expected):
    """Every named field has the value that follows from the rest of the certificate."""
    for key, value in expected.items():
        need(part[key] == value, key, "is not what follows from the rest:", part[key])


class Certificate:
    """Checks one certificate, part after part; each check returns what it found right."""

    def __init__(self, certificate):
        self.c = certificate
        self.request = certificate["request"]

    def check(self):
        yield self.check_fields()
        yield self.check_identity()
        yield self.check_promise()
        yield self.check_mechanism()
        yield self.check_costs()
        if self.c["version"] == 3:
            yield check_odds(self.c, self.curve, self.kind.bins, self.kind.odds_are_summable(), self.law)

    def check_fields(self):
        later = {"odds", "reading", "derived_from"} if self.c["version"] == 3 else set()
        for name, fields in FIELDS.items():
            part = self.c if name == "certificate" else self.c[name]
            more = later if name == "certificate" else set()
            need(set(part) - {"not_private"} == set(fields.split()) | more, "other fields in", name)
        self.check_origin(self.c.get("derived_from"))
        known = self.c["randomness"]["kind"] != "operating-system"
        need(self.c.get("not_private") is (True if known else None), "`not_private` beside these random bits")
        need(not known or self.request["data"]["synthetic"] is True, "known random bits on data that is not made up")
        return "fields are those of the form"

    def check_origin(self, origin):
        """What a folder was made from: the certificates of a release, and of what was made from it (C 7.9)."""
        if origin is None:
            return
        hashes = origin["certificates"]
        need(set(origin) == {"certificates", "in_words"}, "other fields in derived_from")
        need(hashes and isinstance(hashes, list), "made from nothing")
        for one in hashes:
            need(isinstance(one, str) and re.fullmatch("[0-9a-f]{64}", one), "no hash of a certificate:", one)

    def check_identity(self):
        c, r = self.c, self.request
        data, ledger = r["data"], r["ledger"]
        kind = KINDS[r["release"]]
        self.curve = promised(r["promise"], len(c["curve"]))
        self.kind = kind(r, self.curve)
        binning = {key: data[key] for key in ("where", "unit", "types", "timezone")}
        if "split" in data:
            binning["split"] = data["split"]
        bins = [{key: value for key, value in b.items() if key != "name"} for b in r["bins"]]
        binning.update(dataset=ledger["dataset"], kind=self.kind.binning_kind(), bins=bins)
        counted = {**binning, "snapshot": ledger["snapshot"]}
        if c["version"] == 3:   # how values are stored is part of what is counted
            counted["reading"] = c["reading"]
        same(c, request_hash=sha_of(r), binning_hash=sha_of(counted))
        same(c, dataset=ledger["dataset"], snapshot=ledger["snapshot"])
        key = None if data["unit"].get("person") is None else sha_of(binning)
        same(c["unit"], bins_per_person=self.kind.bins, bounding_key=key)
        head = re.fullmatch("[0-9a-f]{64}", c["ledger"]["head"])
        need(head, "the ledger's head is no hash")
        same(c["ledger"], charge_id=head[0][:32])
        return "request, what is counted, bounding key and charge are what they hash to"

    def check_promise(self):
        c, kind = self.c, self.kind
        self.step_curve, self.step_delta = kind.step_curve(), kind.step_delta()
        finite = [run.epsilon for run in self.curve.runs if run.epsilon != INFINITE]
        need(kind.delta < 1 and all(e <= LARGEST_EPSILON for e in finite), "too large an epsilon, or delta")
        same(c, curve=self.curve.shown(), delta=text_of(kind.delta))
        same(c["exact"], runs=self.step_curve.shown(), delta=text_of(self.step_delta))
        epsilon, delta = kind.theorem()
        same(c["theorem"], epsilon=text_of(epsilon), delta=text_of(delta))
        largest, dp = kind.largest_epsilon(), c["worst_case_dp"]
        if largest == INFINITE:
            need(dp is None, "differential privacy where some epsilon is infinite")
        else:
            need(set(dp) == {"epsilon", "delta"} and dp["epsilon"] == text_of(largest), "worst_case_dp.epsilon")
        if "policy" in self.request:
            check_policy(self.request["policy"], self.request["promise"])
            return "the curve follows from the request, and its promise from the policy %s" % self.request["policy"]
        return "the curve follows from the request"

    def check_mechanism(self):
        mechanism, kind = self.c["mechanism"], self.kind
        need(set(mechanism) == kind.steps, "other fields in mechanism")
        self.name, stated = mechanism["name"], mechanism["parameters"]
        asked = kind.asked()
        need(self.name == asked.pop("name"), "another mechanism than the request's")
        self.make_law, wanted = LAWS[self.name]
        wanted = set(wanted.split())
        may_have = {"range": set(), "staircase": {"threshold", "thresholds"}}.get(self.name, {"threshold"})
        need(wanted <= set(stated) <= wanted | may_have, "other parameters than the mechanism has")
        self.parameters = {key: values_of(value) for key, value in stated.items()}
        for key, value in asked.items():
            if key in wanted | set(stated) | {"threshold"}:
                need(self.parameters.get(key) == value, key, "is not what was asked for")
        kind.check_steps(mechanism)
        self.check_universe()
        return self.name + " with the parameters that were asked for, where it may run"

    def check_universe(self):
        self.dimensions = self.kind.dimensions()
        sizes = [d.size for d in self.dimensions]
        self.open = self.kind.is_open(self.name, self.dimensions)
        same(self.c["universe"], **universe_of(None if None in sizes else math.prod(sizes)))
        same(self.c["universe"], accounted="open" if self.open else "closed")
        same(self.c["universe"], dimensions=[d.told() for d in self.dimensions])
        p = self.parameters
        hides = "threshold" in p or self.name == "relay"
        hides = hides or "suppress" in self.name and p.get("crowd", 2) >= 2
        tells = p.get("publish-levels") or p.get("publish-epsilon")
        may_be_open = hides and not tells and self.name != "range"
        need(may_be_open or not self.open, self.name, "may not run where bins are found")

    def law_for(self, cost):
        """The law, summed finely enough for a cost of this size."""
        bits = 0
        if self.make_law in (Ladder, General):
            bits = int(1 / max(cost, TINY)).bit_length() + (50 if cost > TINY else 30)
        if bits not in self.laws:
            threshold = self.parameters.get("threshold", -INFINITE)
            facts = Facts(self.name, self.parameters, threshold, self.step_curve, self.step_delta, self.open, bits)
            self.laws[bits] = self.make_law(facts)
        return self.laws[bits]

    def check_costs(self):
        """The stated costs are those of the law, and no count costs more than the worst (C 6)."""
        self.laws = {}
        worst = self.c["exact"]["worst"]
        self.worst = decimal_cost(worst["delta"])
        for line in [worst, *self.c["exact"]["by_count"]]:
            self.check_cost(line)
        self.law = next(iter(self.laws.values()))
        limit = max(self.worst * NEAR, TINY if self.worst else TINY**2)
        looked_at = ([1] if self.open else []) + list(self.law.counts(limit))
        for count in looked_at:
            need(self.law.cost(count)[1] <= limit, count, "costs more than the worst")
        dp, most = self.c["worst_case_dp"], min(self.worst, self.step_delta)
        if dp:
            # What was asked, as it stands, where rounding up would exceed it.
            each = (number if "/" in dp["delta"] else decimal_cost)(dp["delta"]) / self.kind.bins
            need(abs(each - most) <= most / 10**12, "worst_case_dp.delta")
        return "count {count} costs {delta} ({is}), others as stated, none more".format(**worst)

    def check_cost(self, line):
        stated, count = decimal_cost(line["delta"]), whole(line["count"])
        law = self.law_for(stated or self.worst)
        need(line["epsilon"] == text_of(self.step_curve(count)), "another epsilon at", count)
        need(line["is"] in ("exact", "upper bound"), "`is` at", count)
        most = min(self.worst, self.step_delta) * HAIR
        need(stated <= most, "count", count, "costs more than the worst, or than delta")

        def fits(low, high):
            not_below = low <= stated if stated else high < TINY**2
            not_above = stated <= TINY or stated <= high * real(NEAR)
            return not_below and not_above

        first_of_open = self.open and count == 1 and self.make_law is not Relay
        if line["is"] == "exact" or first_of_open:
            truths = [law.cost(count)]
        else:
            truths = law.bounds(count)
        need(any(fits(*truth) for truth in truths), count, "costs another delta")
