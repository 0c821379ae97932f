# SPDX-License-Identifier: GPL-3.0-or-later
"""Cuts a model's operations into pipeline stages of about equal bytes, as JSON: PROFILE DEBUG STAGES."""
import json
import sys
from multiprocessing import Pool

import pva
from pva import OperationAnalysis, openReport

report = openReport(profileFilename=sys.argv[1], debugInfoFilename=sys.argv[2])
operations = [op for op in OperationAnalysis(report).operations if op.programs()]
cycles = {}
for step in report.execution.steps:
    cycles[step.program] = cycles.get(step.program, 0) + max(ipu.cycles for ipu in step.ipus)


def cost(i):
    op = operations[i]
    layer = json.loads(op.debugContext.layer)['layer']
    always = {v for v in op.vars if v.alwaysLive}
    return {'name': op.name, 'layer': layer, 'programs': [p._id for p in op.programs()], 'bytes': sum(v.bytes for v in set(op.vars)),
            'alwaysLive': sum(v.bytes for v in always), 'cycles': sum(cycles.get(p, 0) for p in op.programs()),
            'code': sum(sum(getattr(p, 'codeBytesByTile', None) or []) for p in op.programs()),
            'first': op.firstStepIndex, 'replaced': len(op.replacedDebugContext)}


with Pool(2) as pool:
    costs = pool.map(cost, range(len(operations)))
each = sum(c['bytes'] for c in costs) / int(sys.argv[3])
done = 0
for c in costs:
    c['stage'] = min(int(done / each), int(sys.argv[3]) - 1) if each else 0
    done += c['bytes']
json.dump({'operations': costs, 'isIpu': report.compilation.target.type == pva.Target.Ipu}, sys.stdout)
