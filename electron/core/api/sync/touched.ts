import { announceAlarms, announceFunctions } from '../../functions/announce.ts';
import type { StoredProject, TableName } from '../../store/metadata/metadata-schema.ts';
import type { Ended } from '../alarms/end-alarms.ts';
import type { Context } from '../context.ts';
import { announceWidgets } from '../widgets/check-widget.ts';

/** What windows hear of the rows of a device, by their table. */
const HEARD_AS: { readonly [Name in TableName]?: 'devices' | 'notes' | 'alarms' | 'corrections' } = {
  devices: 'devices',
  key_settings: 'devices',
  notes: 'notes',
  alarms: 'alarms',
  corrections: 'corrections',
  correction_history: 'corrections',
};

/** Returns what was touched of a project, which is nothing at first. */
export function touchedIn(all: Map<string, Touched>, project_id: string): Touched {
  const known = all.get(project_id) ?? new Touched();
  all.set(project_id, known);
  return known;
}

/** Devices of a project whose rows came, went or changed, by what windows hear of them. */
export class Touched {
  /** Null: of rules by tag. */
  readonly functions = new Set<string | null>();
  readonly devices = new Set<string>();
  readonly notes = new Set<string>();
  readonly alarms = new Set<string>();
  readonly corrections = new Set<string>();
  hasWidgets = false;

  /** A row of a table, of a device; null: a rule by tag. */
  add(table: TableName, device_id: string | null): void {
    const heard = HEARD_AS[table];
    if (table === 'functions') this.functions.add(device_id);
    else if (heard !== undefined && device_id !== null) this[heard].add(device_id);
  }

  ended({ alarms, notes }: Ended): void {
    for (const device_id of alarms) this.alarms.add(device_id);
    for (const device_id of notes) this.notes.add(device_id);
  }

  announce(project: Pick<StoredProject, 'id' | 'account_id'>, context: Pick<Context, 'events'>): void {
    const of = { account_id: project.account_id, project_id: project.id };
    const { events } = context;
    announceFunctions(of, this.functions, context);
    announceAlarms(of, this.alarms, context);
    for (const device_id of this.devices) events.publish('devices.changed', { ...of, device_id });
    for (const device_id of this.notes) events.publish('notes.changed', { ...of, device_id });
    for (const device_id of this.corrections) events.publish('corrections.changed', { ...of, device_id });
    if (this.hasWidgets) announceWidgets(project, context);
  }
}
