import { formatCount } from '#shared/values/counts.ts';
import { isUuid } from '#shared/values/uuid.ts';
import { quote } from '#shared/values/validate.ts';
import { UsageError } from '../../base/errors.ts';
import { printable } from '../printable.ts';
import { meantBy, type Nameable } from './meant.ts';

/*
 * Projects and devices by their names (docs/running.md, "Names and ids"). What has the form of an id and is found nowhere is handed
 * on as it is: a service also knows what no list of names has, and says itself what it does not know.
 */

/** Flags of what a command is about. */
export const SCOPE_FLAGS = { project: { type: 'string' }, device: { type: 'string' } } as const;

export const SCOPE_FLAGS_HELP = `  --project P         a project, by its name or its id (as in the address of its page)
  --device D          a device: its name, PROJECT/DEVICE where others have that name, or its id`;

/** A project or a device. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** Where names are looked up: what a service has, or a backup. Each method rejects with CommandError or UnreachableError. */
export interface Holdings {
  /** As in `a project of the service`. */
  readonly of: string;
  projects(): Promise<readonly Named[]>;
  /** Those of a project; none where it is gone meanwhile. */
  devices(project_id: string): Promise<readonly Named[]>;
  hasDevice(project_id: string, device_id: string): Promise<boolean>;
}

/** Ids that flags mean; `project_id` is left out where a device was given by an id alone that is found nowhere. */
export interface Scope {
  readonly project_id?: string;
  readonly device_id?: string;
}

/** Things that are listed where a name is that of several. */
const MOST_LISTED = 10;

interface Thing extends Nameable {
  /** As lists have it. */
  readonly title: string;
  readonly scope: Scope & { readonly project_id: string };
}

/** Resolves with what `--project` and `--device` mean. Rejects with UsageError where a name is that of none or of several. */
export async function scopeOf(
  holdings: Holdings,
  { project, device }: { readonly project?: string | undefined; readonly device?: string | undefined },
): Promise<Scope> {
  const project_id = project === undefined ? undefined : await projectOf(holdings, project);
  if (device !== undefined) return deviceOf(holdings, device, project_id, '--device');
  return project_id === undefined ? {} : { project_id };
}

/** Resolves with the id of the project that `--project` means. Rejects with UsageError. */
export async function projectOf(holdings: Holdings, word: string): Promise<string> {
  const things = (await holdings.projects()).map(asProject);
  return idOf(word, things, { said: '--project', kind: 'project', of: holdings.of });
}

/** Resolves with the id of the project or device that `--into` means, of all projects or of these. Rejects with UsageError. */
export async function anyOf(
  holdings: Holdings,
  word: string,
  project_ids: readonly string[] | undefined,
): Promise<string> {
  const all = await holdings.projects();
  const projects = all.filter(({ id }) => project_ids?.includes(id) ?? true);
  if ((await projectHaving(holdings, word, projects)) !== null) return word;
  const things = [...projects.map(asProject), ...(await devicesOf(holdings, projects))];
  return idOf(word, things, { said: '--into', kind: 'project or device', of: holdings.of });
}

/**
 * Resolves with the ids of the devices that words mean, in their order, in a project where one is given; `said`: how the words were given,
 * for errors. Rejects with UsageError.
 */
export async function deviceIdsOf(
  holdings: Holdings,
  words: readonly string[],
  { project, said }: { readonly project?: string | undefined; readonly said: string },
): Promise<readonly string[]> {
  const project_id = project === undefined ? undefined : await projectOf(holdings, project);
  const ids: string[] = [];
  for (const word of words) ids.push((await deviceOf(holdings, word, project_id, said)).device_id ?? word);
  return ids;
}

async function deviceOf(
  holdings: Holdings,
  word: string,
  project_id: string | undefined,
  said: string,
): Promise<Scope> {
  const all = await holdings.projects();
  const asGiven = { ...(project_id !== undefined && { project_id }), device_id: word };
  const only = all.find(({ id }) => id === project_id);
  if (project_id !== undefined && only === undefined) {
    if (isUuid(word)) return asGiven;
    throw noneOf(project_id, null, { said: '--project', kind: 'project', of: holdings.of });
  }
  const projects = only === undefined ? all : [only];
  const having = await projectHaving(holdings, word, projects);
  if (having !== null) return { project_id: having, device_id: word };
  const of = only === undefined ? holdings.of : `the project ${quote(only.name)}`;
  const things = await devicesOf(holdings, projects);
  return thingOf(word, things, { said, kind: 'device', of })?.scope ?? asGiven;
}

/** Resolves with the project that has a device of this id. An id takes no list of devices, of which there may be 100,000. */
async function projectHaving(
  holdings: Holdings,
  word: string,
  projects: readonly Named[],
): Promise<string | null> {
  if (!isUuid(word)) return null;
  for (const { id } of projects) if (await holdings.hasDevice(id, word)) return id;
  return null;
}

const asProject = ({ id, name }: Named): Thing => ({
  id,
  names: [name],
  title: name,
  scope: { project_id: id },
});

async function devicesOf(holdings: Holdings, projects: readonly Named[]): Promise<readonly Thing[]> {
  const things: Thing[] = [];
  for (const { id: project_id, name: project } of projects)
    for (const { id, name } of await holdings.devices(project_id)) {
      const title = `${project}/${name}`;
      const names = [name, title, `${project_id}/${name}`];
      things.push({ id, names, title, scope: { project_id, device_id: id } });
    }
  return things;
}

interface Asked {
  /** How the word was given. */
  readonly said: string;
  readonly kind: string;
  readonly of: string;
}

const idOf = (word: string, things: readonly Thing[], asked: Asked): string =>
  thingOf(word, things, asked)?.id ?? word;

/** Null for what may be an id all the same. Throws UsageError. */
function thingOf(word: string, things: readonly Thing[], asked: Asked): Thing | null {
  const meant = meantBy(word, things);
  if ('one' in meant) return meant.one;
  if ('several' in meant) throw ambiguous(word, meant.several, asked);
  if (isUuid(word)) return null;
  throw noneOf(word, meant.nearest, asked);
}

function noneOf(word: string, nearest: string | null, { said, kind, of }: Asked): UsageError {
  const near = nearest === null ? '' : ` Did you mean ${quote(nearest)}?`;
  return new UsageError(
    printable(`${said} must be the name or id of a ${kind} of ${of}, got ${quote(word)}.${near}`),
  );
}

function ambiguous(word: string, things: readonly Thing[], { said, kind, of }: Asked): UsageError {
  const listed = things.slice(0, MOST_LISTED).map(({ id, title }) => `  ${id}  ${title}`);
  const left = things.length - listed.length;
  const how = kind === 'project' ? 'give the id' : 'give PROJECT/DEVICE, or the id';
  const lines = [
    `${said} must be one ${kind} of ${of}, got ${quote(word)}, the name of ${formatCount(things.length)}: ${how}.`,
    ...listed,
    ...(left > 0 ? [`  and ${formatCount(left)} more`] : []),
  ];
  return new UsageError(lines.map(printable).join('\n'));
}
