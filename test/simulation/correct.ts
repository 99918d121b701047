import { formatMicros } from '#shared/values/time.ts';
import type { Correction } from '#shared/domain/corrections.ts';
import { change, type Simulated } from './acts.ts';
import { inPlace, type Entered } from './corrections.ts';
import { KEYS, someTime } from './drafts.ts';
import { localPath, type Device } from './model.ts';
import type { World } from './world.ts';

/* Somebody corrects the records of a device. */

type Said = Pick<Entered, 'fields' | 'reads'>;

const MINUTE_US = 60_000_000;
const MOST = 6;

function someCorrection(world: World): Said {
  const { random } = world;
  const key = random.of(KEYS.filter((each) => each !== 'state'));
  const from = someTime(world);
  const to = from + random.int(0, 90) * MINUTE_US;
  const span = { from: formatMicros(from), to: formatMicros(to) };
  const kind = random.of(['calibration', 'calibration', 'quality', 'time'] as const);
  if (kind === 'calibration') {
    const points = { gain: random.of([0.5, 2, -1]), offset: random.int(-40, 40) / 4 };
    const isWhole = random.chance(0.4);
    return {
      fields: { kind, key, points, ...(isWhole ? {} : span) },
      reads: { kind, key, points, ...(isWhole ? {} : { from, to }) },
    };
  }
  if (kind === 'time') {
    const shift = random.of([-1, 1]) * random.int(1, 120) * MINUTE_US;
    return {
      fields: { kind, ...span, shift_us: shift },
      reads: { kind, from, to, by: { shift } },
    };
  }
  const quality = random.of(['pass', 'suspect', 'fail', 'test'] as const);
  const keys = random.chance(0.5) ? [key] : null;
  return {
    fields: { kind, quality, ...span, reason: 'the door was open', ...(keys && { keys }) },
    reads: { kind, quality, from, to, keys },
  };
}

/** Enters one, changes one or removes one, whichever is drawn and possible. */
export async function correct(on: Simulated, device: Device): Promise<void> {
  const { world, model } = on;
  const { random } = world;
  const before = device.corrections;
  const path = `${localPath(model, device)}/corrections`;
  const at = random.int(0, Math.max(0, before.length - 1));
  const one = before[at];
  if (!one || (before.length < MOST && random.chance(0.5))) {
    const said = someCorrection(world);
    const withIt = (id: string | null) =>
      inPlace([...before, { id, version: 1, created: world.now, ...said }]);
    const doubt = { kind: 'corrections', possible: [before, withIt(null)] } as const;
    const done = await change(on, device, ['POST', path, { body: said.fields }], doubt);
    if (done) device.corrections = withIt(String(done['id']));
    return;
  }
  const itsPath = `${path}/${one.id}`;
  if (random.chance(0.4)) {
    const after = before.toSpliced(at, 1);
    const possible = [before, after];
    if (await change(on, device, ['DELETE', itsPath], { kind: 'corrections', possible }))
      device.corrections = after;
    return;
  }
  const from = someTime(world);
  const to = from + random.int(0, 90) * MINUTE_US;
  const span = { from: formatMicros(from), to: formatMicros(to) };
  const isSame = one.fields['from'] === span.from && one.fields['to'] === span.to;
  const after = before.with(at, {
    ...one,
    version: one.version + (isSame ? 0 : 1),
    fields: { ...one.fields, ...span },
    reads: { ...one.reads, from, to } as Correction,
  });
  const possible = [before, after];
  if (await change(on, device, ['PATCH', itsPath, { body: span }], { kind: 'corrections', possible }))
    device.corrections = after;
}
