import type { Dialog } from 'electron';
import { BUILT_FROM, VERSION } from '#core/base/version.ts';

/** Parts of the box that says which app this is. */
export interface AboutOptions {
  readonly dialog: Pick<Dialog, 'showMessageBox'>;
  readonly openDocs: () => void;
  readonly openLicences: () => void;
  /** The day of what was built, in UTC, as 2026-11-26; null where nobody knows. */
  readonly day?: string | null;
  readonly versions?: Readonly<Record<string, string | undefined>>;
}

const BUTTONS = ['OK', 'Documentation', 'Licences'] as const;

/**
 * Says version, date and licence, and leads to the licences of all that ships and to the documentation, which come with the app.
 * One box on all systems: the panels that they have of their own lead nowhere.
 */
export async function showAbout({
  dialog,
  openDocs,
  openLicences,
  day = BUILT_FROM,
  versions = process.versions,
}: AboutOptions): Promise<void> {
  const { electron, chrome, node } = versions;
  const { response } = await dialog.showMessageBox({
    type: 'info',
    title: 'About Fieldbench',
    message: `Fieldbench ${VERSION}`,
    detail: [
      ...(day === null ? [] : [`Of ${inWords(day)}`]),
      `With Electron ${electron ?? '–'}, Chromium ${chrome ?? '–'}, Node.js ${node ?? '–'}`,
      '',
      'Under the MIT License; what it is made of has licences of its own.',
    ].join('\n'),
    buttons: [...BUTTONS],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  if (BUTTONS[response] === 'Documentation') openDocs();
  if (BUTTONS[response] === 'Licences') openLicences();
}

const inWords = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
