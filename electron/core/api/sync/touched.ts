import { announceAlarms, announceFunctions } from '../../functions/announce.ts';
import type { StoredProject } from '../../store/metadata/metadata-schema.ts';
import type { Ended } from '../alarms/end-alarms.ts';
import type { Context } from '../context.ts';
import { announceWidgets } from '../widgets/check-widget.ts';

/** Devices whose rows came or changed, by what windows hear of them. */
export class Touched {
  /** Null: of rules by tag. */
  readonly functions = new Set<string | null>();
  readonly keys = new Set<string>();
  readonly notes = new Set<string>();
  readonly alarms = new Set<string>();
  hasWidgets = false;

  ended({ alarms, notes }: Ended): void {
    for (const device_id of alarms) this.alarms.add(device_id);
    for (const device_id of notes) this.notes.add(device_id);
  }

  announce(project: StoredProject, context: Pick<Context, 'events'>): void {
    const of = { account_id: project.account_id, project_id: project.id };
    announceFunctions(of, this.functions, context);
    announceAlarms(of, this.alarms, context);
    for (const device_id of this.keys) context.events.publish('devices.changed', { ...of, device_id });
    for (const device_id of this.notes) context.events.publish('notes.changed', { ...of, device_id });
    if (this.hasWidgets) announceWidgets(project, context);
  }
}
