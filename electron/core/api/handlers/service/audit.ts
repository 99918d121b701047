import { isOperationId, operationOf } from '#shared/operations/index.ts';
import { MOST_CHANGES, type AuditEntry } from '#shared/operations/service/audit.ts';
import { inLargePieces } from '../../../disk/pieces.ts';
import type { Entry } from '../../../store/trail/entry.ts';
import { findEntries } from '../../../store/trail/find-entries.ts';
import { toldTrail, type Trail } from '../../../store/trail/trail.ts';
import { verifyNow } from '../../../store/trail/verify-now.ts';
import { NO_FORMER_TRAILS, verifyFormer } from '../../../store/trail/verify-former.ts';
import { notFound } from '../../../base/errors.ts';
import type { Context, HandlersOf } from '../../context.ts';

export const auditHandlers: HandlersOf<'audit'> = {
  async 'audit.list'({ input, signal }, context) {
    const { entries, isMore } = await findEntries(askedTrail(input.trail, context), input, signal);
    return {
      data: {
        entries: entries.map(entryView),
        next: isMore ? (entries.at(-1)?.n ?? null) : null,
        former: (context.formerTrails?.list ?? []).map(toldTrail),
      },
    };
  },

  async 'audit.export'({ input }, context) {
    const trail = askedTrail(input.trail, context);
    const { n } = await trail.head();
    return {
      data: { entries: n - trail.first + 1 },
      download: {
        type: 'application/x-ndjson',
        name: 'audit trail',
        extension: 'ndjson',
        bytes: inLargePieces(bytesOf(trail)),
      },
    };
  },

  async 'audit.verify'(_call, { metadata: { trail }, formerTrails }) {
    const own = await verifyNow(trail);
    const { findings, ...verified } = await verifyFormer(trail, own, formerTrails ?? NO_FORMER_TRAILS);
    return { data: { ...verified, findings: [...findings] } };
  },
};

/** Returns the trail of the service, or the former one that is meant. Throws a 404 Refusal where there is none such. */
function askedTrail(
  sha256: string | undefined,
  { metadata, formerTrails }: Pick<Context, 'metadata' | 'formerTrails'>,
): Trail {
  if (sha256 === undefined) return metadata.trail;
  const found = formerTrails?.list.find(({ hash }) => hash === sha256);
  if (!formerTrails || !found) throw notFound('Former audit trail');
  return formerTrails.open(found);
}

/** Actions of the service that no operation asks for, in words. */
const OWN_ACTIONS: Readonly<Record<string, string>> = {
  'service.start': 'start service',
  'service.sweep': 'discard what is past its time',
  'console.enter': 'let browser in',
  'console.leave': 'sign browser out',
  'metadata.set-back': 'set metadata back',
  'check.repair': 'repair records',
  'lab.rotate-key': 'change key of the lab',
};

const actionOf = (operation: string): string =>
  isOperationId(operation) ? operationOf(operation).action : (OWN_ACTIONS[operation] ?? operation);

function entryView(entry: Entry): AuditEntry {
  const { n, at, by, operation, outcome, of, account_id, facts, message, reason } = entry;
  const { projects = [], devices = [], keys = [], changes = [] } = entry;
  return {
    n,
    time: at,
    by: { ...by },
    operation,
    action: actionOf(operation),
    outcome,
    ...(of !== undefined && { of }),
    ...(account_id !== undefined && { account_id }),
    projects: projects.map((one) => ({ ...one })),
    devices: devices.map((one) => ({ ...one })),
    keys: [...keys],
    changes: changes.slice(0, MOST_CHANGES).map((change) => ({ ...change })),
    more_changes: Math.max(0, changes.length - MOST_CHANGES),
    ...(facts !== undefined && { facts }),
    ...(message !== undefined && { message }),
    ...(reason !== undefined && { reason }),
  };
}

async function* bytesOf(trail: Trail): AsyncGenerator<Uint8Array> {
  for await (const { text } of trail.lines()) yield Buffer.from(`${text}\n`);
}
