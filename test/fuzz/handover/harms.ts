import type { VerifiedPackage } from '#core/handover/verify/verify-package.ts';
import type { Random } from '../files/random.ts';
import { changedBytes, isIn, says, type Harm, type Intact } from './harm.ts';
import { SIGNING, zipOf, type Packed } from './package.ts';
import { ofSeal } from './seal-harms.ts';

/* Harms of a package, and what has to be said of each. */

export function drawHarm(random: Random, intact: Intact): Harm {
  const draw = random.of([ofZip, ofZip, ofFiles, ofFiles, ofLines, ofLines, ofLines, ofSeal]);
  return draw(random, intact);
}

/** Bytes of the zip as it lies there. */
function ofZip(random: Random, { zip, files }: Intact): Harm {
  const at = random.int(0, zip.length - 1);
  const length = random.of([1, 1, 2, 40]);
  const [before, behind] = [zip.subarray(0, at), zip.subarray(at + length)];
  const ways = {
    flipped: () => {
      const other = Buffer.from(zip);
      other[at] = other[at]! ^ (1 << random.int(0, 7));
      return other;
    },
    'cut out': () => Buffer.concat([before, behind]),
    'put in': () => Buffer.concat([before, Buffer.alloc(length, random.int(0, 255)), zip.subarray(at)]),
    'cut off': () => Buffer.from(before),
    appended: () => Buffer.concat([zip, Buffer.alloc(length, random.int(0, 255))]),
    overwritten: () => {
      const other = Buffer.from(zip);
      zip.copy(other, at, random.int(0, zip.length - 1));
      return other;
    },
  };
  const way = random.of<keyof typeof ways>([
    'flipped',
    'flipped',
    'flipped',
    ...(Object.keys(ways) as (keyof typeof ways)[]),
  ]);
  const other = ways[way]();
  if (other.equals(zip)) return ofZip(random, { zip, files } as Intact);
  const hit = way === 'flipped' ? hitBy(zip, files, at) : null;
  return {
    kind: `bytes of the zip ${way}`,
    what: `${way} ${length} at ${at} of ${zip.length}`,
    zip: other,
    judge({ findings }) {
      if (hit === null) return;
      // What the manifest says is compared with, whatever it says by then.
      const isNamed = findings.some(
        ({ file }) => file === null || (isSealing(hit) ? isSealing(file) : file === hit),
      );
      const wrong = findings.find(({ file }) => file !== null && file !== hit);
      if (!isNamed) throw new Error(`It is in ${hit}, which is not named.`);
      if (!isSealing(hit) && wrong) throw new Error(`It is in ${hit}, and ${wrong.file} is named.`);
    },
  };
}

const isSealing = (name: string) => SIGNING.includes(name);

/** The file in whose packed bytes a place lies; null for none. */
function hitBy(zip: Buffer, files: readonly Packed[], at: number): string | null {
  let from = 0;
  for (const { name } of files) {
    const data = zip.indexOf(name, from) + Buffer.byteLength(name);
    const descriptor = zip.indexOf(Buffer.from('PK\x07\x08', 'latin1'), data);
    if (at >= data && at < descriptor) return name;
    from = descriptor + 16;
  }
  return null;
}

/** Files, in a zip that is whole. */
function ofFiles(random: Random, intact: Intact): Harm {
  const { files } = intact;
  const place = random.int(0, files.length - 1);
  const one = files[place]!;
  const { name } = one;
  const changed = changedBytes(random, one.bytes);
  const harms = {
    changed: () => [
      files.with(place, { name, bytes: changed }),
      SIGNING.includes(name) ? isIn(SIGNING) : isIn([name]),
    ],
    emptied: () => [
      files.with(place, { name, bytes: Buffer.alloc(0) }),
      SIGNING.includes(name) ? isIn(SIGNING) : isIn([name]),
    ],
    dropped: () => [files.toSpliced(place, 1), says(name, 'dropped')],
    doubled: () => [files.toSpliced(random.int(0, files.length), 0, one), says(name, 'doubled')],
    'doubled and changed': () => [
      files.toSpliced(random.int(0, files.length), 0, { name, bytes: changed }),
      says(name, 'doubled'),
    ],
    renamed: () => [files.with(place, { ...one, name: `${name}x` }), says(name, 'dropped')],
    added: () => {
      const added = random.of([
        'readme.txt',
        '../../etc/cron.d/x',
        '/abs',
        'C:\\x',
        'devices/',
        'a/../../b',
        '\u0000',
      ]);
      return [files.toSpliced(place, 0, { name: added, bytes: changed }), says(added, 'added')];
    },
    reordered: () => {
      const without = files.toSpliced(place, 1);
      const to = random.int(0, without.length);
      const moved = without.toSpliced(to === place ? (to + 1) % (without.length + 1) : to, 0, one);
      return [
        moved,
        (found: VerifiedPackage) => {
          if (!found.findings.some(({ harm }) => harm === 'reordered'))
            throw new Error('The order is not named.');
        },
      ];
    },
  } satisfies Record<string, () => [readonly Packed[], Harm['judge']]>;
  const what = random.of(Object.keys(harms) as (keyof typeof harms)[]);
  const [harmed, judge] = harms[what]() as [readonly Packed[], Harm['judge']];
  const isSame =
    harmed.length === files.length &&
    harmed.every(({ name: n, bytes }, i) => n === files[i]?.name && bytes.equals(files[i].bytes));
  return isSame
    ? ofFiles(random, intact)
    : { kind: `file ${what}`, what: `${name} ${what}`, zip: zipOf(harmed), judge };
}

/** Lines of a file. */
function ofLines(random: Random, intact: Intact): Harm {
  const { files } = intact;
  const able = files.flatMap(({ name, bytes }, place) =>
    SIGNING.includes(name) || name.endsWith('.parquet') || bytes.length === 0 ? [] : [place],
  );
  const place = random.of(able);
  const { name, bytes } = files[place]!;
  const lines = bytes.toString('latin1').split(/(?<=\n)/);
  const [at, to] = [random.int(0, lines.length - 1), random.int(0, lines.length)];
  const count = Math.min(random.of([1, 1, 1, 2, 300]), lines.length - at);
  const some = lines.slice(at, at + count);
  const harms = {
    changed: () =>
      lines.with(
        at,
        changedBytes(random, Buffer.from(lines[at]!.replace('\n', ' '), 'latin1'))
          .toString('latin1')
          .replaceAll('\n', '?') + '\n',
      ),
    dropped: () => lines.toSpliced(at, count),
    doubled: () => lines.toSpliced(at, 0, ...some),
    'doubled elsewhere': () => lines.toSpliced(to, 0, ...some),
    added: () => lines.toSpliced(at, 0, `2020-01-01T00:00:00Z,${random.int(0, 1e9)}\n`),
    swapped: () => lines.with(at, lines[to % lines.length]!).with(to % lines.length, lines[at]!),
    moved: () => lines.toSpliced(at, count).toSpliced(Math.min(to, lines.length - count), 0, ...some),
  };
  const what = random.of(Object.keys(harms) as (keyof typeof harms)[]);
  const harmed = harms[what]();
  const now = Buffer.from(harmed.join(''), 'latin1');
  // A last line without its end becomes one with what stands behind it.
  if (now.equals(bytes) || harmed.slice(0, -1).some((line) => !line.endsWith('\n')))
    return ofLines(random, intact);
  return {
    kind: `lines ${what}`,
    what: `${name}: ${count} of ${lines.length} lines ${what} at ${at + 1}, to ${to + 1}`,
    zip: zipOf(files.with(place, { name, bytes: now })),
    judge: (found) => judgeLines(found, { name, what, at, count, lines, harmed }),
  };
}

const KINDS = {
  changed: ['changed'],
  dropped: ['dropped'],
  doubled: ['doubled'],
  'doubled elsewhere': ['doubled'],
  added: ['added'],
  swapped: ['reordered'],
  moved: ['reordered'],
} as const;

interface OfLines {
  readonly name: string;
  readonly what: keyof typeof KINDS;
  readonly at: number;
  readonly count: number;
  readonly lines: readonly string[];
  readonly harmed: readonly string[];
}

/** Lines beyond those that were harmed, in which they are named: a few runs. */
const NEAR = 6000;

function judgeLines(found: VerifiedPackage, { name, what, at, count, lines, harmed }: OfLines): void {
  const own = found.findings.filter(({ file }) => file === name);
  if (own.length !== found.findings.length) throw new Error('Another file is named, too.');
  const [kind] = KINDS[what];
  const wrong = own.find(({ harm }) => harm !== kind);
  if (wrong) throw new Error(`It was ${kind}, and it says ${wrong.harm}.`);
  if (kind === 'doubled') {
    const named = own.flatMap(({ range }) => (range ? harmed.slice(range.from - 1, range.to) : []));
    const twice = lines.slice(at, at + count);
    if (named.toSorted().join('') !== twice.toSorted().join(''))
      throw new Error('Other lines are named than those that are there twice.');
    return;
  }
  const ranges = own.flatMap(({ range }) => range ?? []);
  const covers = ranges.some(({ from, to }) => from <= at + 2 && to >= at);
  if (!covers) throw new Error(`Line ${at + 1} is in none of the ranges.`);
  if (ranges.reduce((sum, { from, to }) => sum + to - from, 0) > 2 * count + NEAR)
    throw new Error('The ranges are too long.');
}
