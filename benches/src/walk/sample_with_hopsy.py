"""Samples a region with hopsy: `sample_with_hopsy.py REGION SAMPLER SECONDS RECORDS OUT`.

REGION is the text that the benchmark writes. SAMPLER is the name of a proposal of hopsy; with `rounded:` before it, the
polytope is rounded first. Points are written as doubles to OUT.fine, one after every sweep, and to OUT.coarse, spread over
all the time; `name=value` lines tell what happened.
"""

import sys
import time
import warnings

warnings.simplefilter("ignore")

import hopsy
import numpy


def polytope(path):
    with open(path) as file:
        size = int(file.readline())
        low, high = map(float, file.readline().split())
        start = numpy.array(file.readline().split(), dtype=float)
        rows = numpy.loadtxt(file, dtype=int, ndmin=2).reshape(-1, 4)
    count = len(rows)
    matrix = numpy.zeros((count + size + 1, size))
    bound = numpy.zeros(count + size + 1)
    number = numpy.arange(count)
    matrix[number, rows[:, 0]] -= rows[:, 3]
    matrix[number, rows[:, 2]] -= rows[:, 3]
    matrix[number, rows[:, 1]] += 2 * rows[:, 3]
    order = numpy.arange(size - 1)
    matrix[count + order, order] = 1
    matrix[count + order, order + 1] = -1
    # The order leaves two faces of the domain.
    matrix[-2, 0], bound[-2] = -1, -low
    matrix[-1, -1], bound[-1] = 1, high
    return matrix, bound, start


def main(path, sampler, seconds, records, out):
    matrix, bound, start = polytope(path)
    problem = hopsy.Problem(matrix, bound)
    began = time.process_time()
    is_rounded = sampler.startswith("rounded:")
    if is_rounded:
        problem, start = hopsy.round(problem), None
    proposal = getattr(hopsy, sampler.removeprefix("rounded:"))
    chain = hopsy.MarkovChain(problem, proposal=proposal, starting_point=start)
    print(f"setup={time.process_time() - began}", flush=True)
    generator = hopsy.RandomNumberGenerator(1)
    tried, taken = 16, 0.0
    while taken < seconds / 20:
        began = time.process_time()
        hopsy.sample(chain, generator, n_samples=1, thinning=tried)
        taken = time.process_time() - began
        tried *= 2
    steps = max(int(tried / 2 / taken * seconds), 1)
    # Points after every sweep for walks that mix fast, and far apart for those that do not.
    for name, thinning in (("fine", len(matrix[0])), ("coarse", max(steps // records, 1))):
        count = min(records, max(steps // thinning, 1))
        began = time.process_time()
        _, points = hopsy.sample(chain, generator, n_samples=count, thinning=thinning)
        print(f"{name}_seconds={time.process_time() - began}")
        print(f"{name}_steps={count * thinning}")
        points[0].astype("<f8").tofile(f"{out}.{name}")


main(sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
