import type { View } from '#shared/domain/corrections.ts';
import type { ExportFormat } from '#shared/domain/file-formats.ts';
import type { HandedDevice, HandoverContent } from './content.ts';
import { foldersOf } from './file-names.ts';
import { howToCheckText } from './how-to-check.ts';
import { HOW_TO_CHECK, REPORT } from './manifest.ts';
import type { Member } from './write-package.ts';

/** Sources of a package's files, beside the content of the devices. */
export interface MemberSources {
  readonly format: ExportFormat;
  /** Writes the records of a device, by its place, as a view shows them; `read` as of Member. */
  readonly records: (place: number, view: View, read: (records: number) => void) => AsyncIterable<Uint8Array>;
  /** The part of the audit trail, a line each, without line feeds. */
  readonly trail: () => AsyncIterable<string>;
  /** The same of former trails, those that have such lines alone; `sha256` is that of the trail's last line. */
  readonly former: readonly { readonly sha256: string; readonly lines: () => AsyncIterable<string> }[];
  /** A page of all of it; null for none. */
  readonly report: ((content: HandoverContent) => AsyncIterable<Uint8Array>) | null;
}

/** Returns the files of a package, in their order. */
export function membersOf(
  content: HandoverContent,
  { format, records, trail, former, report }: MemberSources,
): readonly Member[] {
  const folders = foldersOf(content.devices.map(({ facts }) => facts.name));
  return [
    text(HOW_TO_CHECK, howToCheckText({ hasReport: report !== null, hasFormer: former.length > 0 })),
    ...content.devices.flatMap((device, place) => {
      const at = (name: string) => `devices/${folders[place] ?? place}/${name}`;
      const file = (view: View): Member => ({
        path: at(`records-${view}.${format}`),
        unit: format === 'parquet' ? 'bytes' : 'lines',
        bytes: (read) => records(place, view, read),
      });
      return [
        json(at('device.json'), { ...device.facts, keys: device.keys }),
        json(at('notes.json'), device.notes),
        json(at('corrections.json'), { corrections: device.corrections, history: device.history }),
        json(
          at('statistics.json'),
          ofViews(device, ({ statistics }) => statistics),
        ),
        json(
          at('excursions.json'),
          ofViews(device, ({ excursions }) => excursions),
        ),
        ...viewsOf(device).map(file),
      ];
    }),
    ...(report === null ? [] : [{ path: REPORT, unit: 'bytes' as const, bytes: () => report(content) }]),
    { path: 'audit-trail.ndjson', unit: 'lines', bytes: () => linesOf(trail()) },
    ...former
      .toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1))
      .map(({ sha256, lines }): Member => ({
        path: `former-audit-trails/${sha256}.ndjson`,
        unit: 'lines',
        bytes: () => linesOf(lines()),
      })),
  ];
}

/** Without corrections both views are the same, and one of them is enough. */
const viewsOf = ({ corrections }: HandedDevice): readonly View[] =>
  corrections.length === 0 ? ['raw'] : ['raw', 'corrected'];

const ofViews = (device: HandedDevice, of: (view: HandedDevice['views'][View]) => unknown) =>
  Object.fromEntries(viewsOf(device).map((view) => [view, of(device.views[view])]));

const json = (path: string, value: unknown): Member => text(path, `${JSON.stringify(value, null, 2)}\n`);

function text(path: string, content: string): Member {
  async function* bytes() {
    yield Buffer.from(content);
  }
  return { path, unit: 'lines', bytes };
}

/** Lines are passed on together, in pieces of about so many characters. */
const PIECE_CHARACTERS = 64 * 1024;

async function* linesOf(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let held = '';
  for await (const line of lines) {
    held += `${line}\n`;
    if (held.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(held);
    held = '';
  }
  if (held !== '') yield Buffer.from(held);
}
