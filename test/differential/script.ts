import type { BodyType } from './payload.ts';

/*
 * What is done to a service and asked of it, as plain data: a script is a JSON file that runs again anywhere. Devices and
 * projects go by number, counted round among those that are there. Bodies are the texts that are sent, byte for byte.
 */

export type Format = 'ndjson' | 'csv';

/** Ends as they are written in the query. */
export interface Range {
  readonly start: string;
  readonly end: string;
}

/** Records by formula, for amounts that no script should hold. Times in µs. */
export interface Bulk {
  readonly count: number;
  readonly from: number;
  readonly step: number;
  readonly order: 'rising' | 'falling' | 'shuffled' | 'equal';
  readonly shape: 'sensors' | 'sparse' | 'texts' | 'wide';
}

/** Writers at once, each with requests one after the other. Their times are found nowhere else. */
export interface Writers {
  readonly writers: number;
  readonly requests: number;
  readonly records: number;
}

type Act =
  | { readonly do: 'create project' }
  | { readonly do: 'create device'; readonly project: number }
  | { readonly do: 'delete project'; readonly project: number }
  | { readonly do: 'delete device'; readonly device: number }
  | { readonly do: 'send'; readonly device: number; readonly type: BodyType; readonly body: string }
  | { readonly do: 'import lines'; readonly device: number; readonly body: string }
  | {
      readonly do: 'bulk';
      readonly device: number;
      readonly by: 'array' | 'lines' | 'import ndjson' | 'import csv';
      readonly bulk: Bulk;
    }
  | { readonly do: 'copy'; readonly from: number; readonly to: number; readonly format: Format }
  | { readonly do: 'remove'; readonly device: number; readonly range: Range }
  | { readonly do: 'purge'; readonly device: number }
  | { readonly do: 'write at once'; readonly device: number; readonly writers: Writers };

type Question =
  | {
      readonly do: 'page';
      readonly device: number;
      readonly page: number;
      readonly limit: number;
      readonly range: Range | null;
      readonly keys: readonly string[] | null;
    }
  | { readonly do: 'walk'; readonly device: number; readonly limit: number; readonly range: Range | null }
  | {
      readonly do: 'export';
      readonly device: number;
      readonly format: Format;
      readonly range: Range | null;
      readonly keys: readonly string[] | null;
    }
  | {
      readonly do: 'series';
      readonly device: number;
      readonly width: number;
      readonly range: Range | null;
      readonly keys: readonly string[] | null;
    }
  | { readonly do: 'facts' };

/** What happens to the process: an end in order, SIGKILL at rest, or SIGKILL while something is under way. */
type End =
  | { readonly do: 'restart' }
  | { readonly do: 'kill' }
  /** Killed when so many requests were acknowledged. */
  | {
      readonly do: 'kill writers';
      readonly device: number;
      readonly writers: Writers;
      readonly acknowledged: number;
    }
  /** Killed so many ms into a removal or an import. */
  | {
      readonly do: 'kill during';
      readonly act: Extract<Act, { do: 'remove' | 'purge' | 'bulk' | 'delete device' }>;
      readonly ms: number;
    };

export type Step = Act | Question | End;
export type StepOf<Kind extends Step['do']> = Extract<Step, { do: Kind }>;

export interface Script {
  /** Devices there are at the beginning, in one project. */
  readonly devices: number;
  readonly steps: readonly Step[];
}

const ENDS = new Set<Step['do']>(['restart', 'kill', 'kill writers', 'kill during']);

/** Whether the process ends on the way, so that the script needs one of its own. */
export const endsProcess = ({ steps }: Script) => steps.some((step) => ENDS.has(step.do));
