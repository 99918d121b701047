import { CORRECTION_KINDS } from '#shared/domain/corrections.ts';
import type { AuditEntry } from '#shared/operations/service/audit.ts';
import { KIND_WORDS } from '../../../components/corrections/correction-words.ts';

/* An entry of the audit trail in words. */

type Change = AuditEntry['changes'][number];

/** Rows, as people call them. */
const ROWS: Readonly<Record<string, string>> = {
  accounts: 'account',
  projects: 'project',
  devices: 'device',
  api_keys: 'API key',
  functions: 'function',
  widgets: 'widget',
  key_settings: 'settings of a key',
  notes: 'note',
  alarms: 'alarm',
  corrections: 'correction',
  correction_history: 'former version of a correction',
  views: 'saved view',
  kept_deletes: 'what can be undone',
  preferences: 'settings',
};

/** Characters of a value that are shown. */
const MOST = 120;

/** "Update device"; what is not over, or failed, with that. */
export function actionOf({ action, outcome, message }: AuditEntry): string {
  const said = action.charAt(0).toUpperCase() + action.slice(1);
  if (outcome === 'begun') return `${said}: begun`;
  if (outcome === 'failed') return `${said}: failed${message === undefined ? '' : ` (${message})`}`;
  return said;
}

/** "API key rig", "anna, at a window". */
export function whoOf({ by: { kind, name } }: AuditEntry): string {
  if (kind === 'key') return `API key ${name}`;
  if (kind === 'service') return 'the service itself';
  if (kind === 'command line') return `${name}, command line`;
  return name === 'browser' ? 'a browser' : `${name}, app`;
}

/** What it is about: "Boiler room / Pump · temperature". */
export function aboutOf({ projects, devices, keys }: AuditEntry): string {
  const names = [projects, devices].map((all) => all.map(({ id, name }) => name ?? id).join(', '));
  const place = names.filter((name) => name !== '').join(' / ');
  return [place, keys.join(', ')].filter((part) => part !== '').join(' · ');
}

/** A row that came or went, or a field that changed: a line of its own. */
export function changeLines({ table, id, before, after }: Change): readonly string[] {
  const what = ROWS[table] ?? table;
  const row = after ?? before;
  const name = row?.['name'] ?? row?.['title'] ?? row?.['text'] ?? correctionName(row?.['what']) ?? id;
  if (before === null || after === null)
    return [`${after === null ? 'Gone' : 'New'}: ${what} ${valueOf(name)}`];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields.map((field) => `${what}, ${field}: ${valueOf(before[field])} → ${valueOf(after[field])}`);
}

/** "Calibration of air"; null for what is no correction. */
function correctionName(what: unknown): string | null {
  if (typeof what !== 'object' || what === null) return null;
  const { kind, key } = what as Partial<Record<string, unknown>>;
  const words = CORRECTION_KINDS.find((one) => one === kind);
  return words ? `${KIND_WORDS[words]}${typeof key === 'string' ? ` of ${key}` : ''}` : null;
}

function valueOf(value: unknown): string {
  if (value === undefined) return 'none';
  const text = typeof value === 'string' ? `“${value}”` : JSON.stringify(value);
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}
