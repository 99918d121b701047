import { MOST_PAYLOAD, MOST_PORT } from '#shared/domain/decoder-names.ts';
import type { PayloadForm } from '#shared/domain/decoders.ts';
import type { DeviceFunction } from '#shared/schema/schemas.ts';
import { hexDigits } from '#shared/values/hex.ts';
import type { DecoderDraft, FormDraft } from '../../../stores/decoder-drafts.ts';

/* A decoder as it is written in the form, and as the service takes it. */

interface Saved extends Pick<DeviceFunction, 'name' | 'script'> {
  readonly condition: object | null;
}

const NO_FORM: FormDraft = { payload: 'bytes', at: '', encoding: 'base64', port_at: '', port: '' };
export const NO_DRAFT: DecoderDraft = { name: '', script: '', form: NO_FORM };

/** Characters of a script, as functions.create takes them. */
const LONGEST_SCRIPT = 65_536;
export const LONGEST_NAME = 100;

/** What network servers of LoRaWAN send over HTTP and MQTT. */
const SERVERS = {
  'The Things Stack': {
    at: 'uplink_message.frm_payload',
    encoding: 'base64',
    port_at: 'uplink_message.f_port',
  },
  ChirpStack: { at: 'data', encoding: 'base64', port_at: 'fPort' },
  'Actility ThingPark': {
    at: 'DevEUI_uplink.payload_hex',
    encoding: 'hex',
    port_at: 'DevEUI_uplink.FPort',
  },
} as const;
type Server = keyof typeof SERVERS;
export const SERVER_NAMES = Object.keys(SERVERS) as readonly Server[];

/** A way to send, as people choose it: a form, or the JSON of a server. */
export type Way = PayloadForm['payload'] | Server;

/** The way that a form is: of JSON the server whose paths it has. */
export function wayOf(form: FormDraft): Way {
  if (form.payload !== 'json') return form.payload;
  const server = SERVER_NAMES.find((name) => {
    const { at, encoding, port_at } = SERVERS[name];
    return form.at === at && form.encoding === encoding && form.port_at === port_at;
  });
  return server ?? 'json';
}

/** The form once a way was chosen; any other JSON begins without paths. */
export function formBy(way: Way, before: FormDraft): FormDraft {
  if (way === 'bytes' || way === 'hex' || way === 'base64') return { ...before, payload: way };
  const paths = way === 'json' ? { at: '', port_at: '' } : SERVERS[way];
  return { ...before, payload: 'json', port: '', ...paths };
}

/** The draft of what is saved. */
export const draftOf = ({ name, script, condition }: Saved): DecoderDraft => ({
  name,
  script: script ?? '',
  form: formOf(condition),
});

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** What is saved by other programs may be no form: then it is chosen anew. */
function formOf(condition: object | null): FormDraft {
  const { payload, at, encoding, port_at, port } = (condition ?? {}) as Readonly<Record<string, unknown>>;
  return {
    payload: payload === 'hex' || payload === 'base64' || payload === 'json' ? payload : 'bytes',
    at: text(at),
    encoding: encoding === 'hex' ? 'hex' : 'base64',
    port_at: text(port_at),
    port: typeof port === 'number' ? String(port) : '',
  };
}

/** The condition that a form says. */
export function conditionOf(draft: FormDraft): PayloadForm {
  const { payload, encoding } = draft;
  const [at, port_at, port] = [draft.at.trim(), draft.port_at.trim(), draft.port.trim()];
  const fixed = port !== '' && { port: Number(port) };
  if (payload !== 'json') return { payload, ...fixed };
  return { payload, at, encoding, ...(port_at !== '' && { port_at }), ...fixed };
}

export interface DraftProblems {
  readonly name: string | null;
  readonly script: string | null;
  readonly at: string | null;
  readonly port: string | null;
}

/** What has to be put right before a draft can be saved or tried. */
export function problemsOf({ name, script, form }: DecoderDraft): DraftProblems {
  return {
    name: name.trim() === '' ? 'A name, such as “Door sensor”.' : null,
    script: scriptProblem(script),
    at: form.payload === 'json' && form.at.trim() === '' ? 'Where in the message the bytes are.' : null,
    port: portProblem(form.port.trim()),
  };
}

const portProblem = (port: string): string | null =>
  port === '' || (/^\d{1,3}$/.test(port) && Number(port) <= MOST_PORT)
    ? null
    : `A whole number from 0 to ${MOST_PORT}.`;

/** A payload as it is typed, to be tried. */
export interface TypedPayload {
  /** Hexadecimal digits. */
  readonly bytes: string;
  /** Digits, or nothing. */
  readonly port: string;
}

/** What has to be put right before a payload can be tried. */
export function payloadProblems({ bytes, port }: TypedPayload): {
  readonly [Field in keyof TypedPayload]: string | null;
} {
  const digits = hexDigits(bytes);
  return {
    bytes:
      digits === null ? 'Pairs of hexadecimal digits, such as 00 d7 2d.' : lengthProblem(digits.length / 2),
    port: portProblem(port.trim()),
  };
}

const lengthProblem = (count: number): string | null =>
  count <= MOST_PAYLOAD
    ? null
    : `At most ${MOST_PAYLOAD.toLocaleString('en')} bytes; these are ${count.toLocaleString('en')}.`;

function scriptProblem(script: string): string | null {
  if (script.trim() === '') return 'The script is missing: paste it, or drop its file.';
  if (script.includes('\0')) return 'This is no text.';
  return script.length > LONGEST_SCRIPT
    ? `At most ${LONGEST_SCRIPT.toLocaleString('en')} characters; this has ${script.length.toLocaleString('en')}.`
    : null;
}

export const isSame = (one: DecoderDraft, other: DecoderDraft): boolean =>
  one.name.trim() === other.name.trim() &&
  one.script === other.script &&
  JSON.stringify(conditionOf(one.form)) === JSON.stringify(conditionOf(other.form));

/** The line of a script that a message names: `TypeError: no bytes (line 5)`; null for none. */
export function lineIn(message: string): number | null {
  const [, line] = /\(line (\d+)\)/.exec(message) ?? [];
  return line === undefined ? null : Number(line);
}

/** A name for a decoder by its file: `dragino-lht65.js` is `dragino-lht65`. */
export const nameOfFile = (file: string): string => file.replace(/\.[a-z0-9]+$/i, '').slice(0, LONGEST_NAME);
