import { resolve } from 'node:path';
import { HANDOVER_FORMATS } from '#shared/operations/service/handover.ts';
import { countOf } from '#shared/values/counts.ts';
import { alternatives } from '#shared/values/text.ts';
import { UsageError } from '../../base/errors.ts';
import { groupedFingerprint, TO_BE_TOLD } from '#shared/domain/fingerprint.ts';
import type { VerifiedPackage } from '../../handover/verify/verify-package.ts';
import { deviceIdsOf } from '../names/look-up.ts';
import { givenPath, oneOf, parseWords } from '../parse.ts';
import { verifyFile } from '../verify-package.ts';
import { ASKER_FLAGS, ASKER_FLAGS_HELP, askerOf } from './asker.ts';
import type { ControlCommand } from './control.ts';
import { holdingsOf } from './names-of-service.ts';
import { refuseThere, writeVerified } from './write-verified.ts';

/* `fieldbench handover`: devices as a package that its reader can check (docs/hand-over.md). */

const text = { type: 'string' } as const;
const OPTIONS = {
  project: text,
  format: text,
  start: text,
  end: text,
  out: text,
  ...ASKER_FLAGS,
  json: { type: 'boolean' },
} as const;

export const HANDOVER_FLAGS_HELP = `  DEVICE…             one or more: a name, PROJECT/DEVICE where others have that name, or an id
  --project P         the project in which they are looked for, by its name or its id
  --out F.zip         where to; nothing that is there is written over
  --format F          of the records: ${alternatives(HANDOVER_FORMATS)} (csv)
  --start T, --end T  the first and the last instant, both included (2026-11-18T00:00:00Z)
${ASKER_FLAGS_HELP}
  --json              for machines, errors too

  fieldbench handover 'Boiler room/Pump' --out pump.zip --start 2026-10-01T00:00:00Z`;

const FLAG_OF = { format: 'format', start: 'start', end: 'end' };

/** `fieldbench handover DEVICE… --out F.zip`: written, read again and verified before it has its name. */
export const handover: ControlCommand = async (args, output) => {
  const { words, values: flags } = parseWords(args, OPTIONS, 'a DEVICE');
  const out = givenPath('out', flags.out);
  if (out === null) throw new UsageError('--out is needed: a file to write, such as pump.zip. See --help.');
  const file = resolve(out);
  refuseThere(file);
  const { format, start, end } = flags;
  const given = {
    ...(format !== undefined && { format: oneOf('format', format, HANDOVER_FORMATS) }),
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
  };
  const asker = await askerOf(flags);
  let made: VerifiedPackage;
  try {
    const holdings = holdingsOf((id, input) => asker.operation(id, input));
    const devices = await deviceIdsOf(holdings, words, { project: flags.project, said: 'DEVICE' });
    made = await writeVerified(file, await asker.handover({ devices: [...new Set(devices)], ...given }), {
      verify: asSigned,
      flags: FLAG_OF,
      failed: 'The package could not be made',
    });
  } finally {
    asker.close();
  }
  const { files, fingerprint } = made;
  if (flags.json) output.print(JSON.stringify({ file, files, fingerprint }));
  else {
    output.print(`${file}: ${countOf(files, 'file')}; read again, and as it was signed.`);
    output.print(`Signed by the key ${groupedFingerprint(fingerprint ?? '')}`);
    output.print(TO_BE_TOLD);
  }
  return 0;
};

/** Rejects with an Error where the package is not as it was signed. */
async function asSigned(part: string): Promise<VerifiedPackage> {
  const made = await verifyFile(part, null);
  const [first] = made.findings;
  if (first) throw new Error(first.message);
  return made;
}
