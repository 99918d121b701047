import type { HttpId } from '#shared/operations/index.ts';

/* What the OpenAPI document says in words, beside the `description` of each operation. */

export const ABOUT = `Projects, their devices and the records that devices store, kept by this service alone: it needs no account and no internet.

Operations marked \`x-extension: true\` go beyond the /v2 document and are absent where the service runs with \`--strict\`.

Every answer but an export and this document is the envelope \`{success, action, status, message, data}\`, all five always. HEAD is answered wherever GET is, without the body. JSON bodies are read as UTF-8 whatever Content-Type they come with, and their unknown fields are ignored. Lengths of texts count Unicode code points. Times are ISO 8601 with "Z" or an offset and 0 to 9 fraction digits, read to the microsecond; answers write them in UTC. Ids are opaque: any other text is simply not found.`;

type Noun<Id extends string> = Id extends `${infer N}.${string}` ? N : never;

/** The tags: what the name of an operation begins with. */
export const TAGS: Readonly<Record<Noun<HttpId> | 'integrations', string>> = {
  projects: 'Projects, which hold devices.',
  devices: 'Devices, which store records.',
  data: 'Records of a device, a page at a time.',
  records: 'Records of a device in bulk.',
  requests: 'What devices and programs asked lately.',
  series: 'Records of a device as charts draw them.',
  statistics: 'What the records of a span come to.',
  states: 'Texts and booleans of a device as runs of equal values.',
  excursions: 'How long a key lay outside of its normal range, or was not measured.',
  functions: 'Functions of a project.',
  widgets: 'Widgets of a project.',
  'key-facts': 'What a device has of each data key.',
  'key-settings': 'How data keys are shown.',
  edits: 'Fields that are replaced where they are as somebody left them.',
  times: "Records' own times against those of their receipt.",
  corrections: 'What people know better of the records of a device.',
  notes: 'What people wrote to instants and spans of a device.',
  views: 'Addresses of the app, saved by name.',
  undo: 'What was deleted and can be had back.',
  settings: 'What is set for the installation.',
  storage: 'What takes room on the disk.',
  clock: 'The time of the service.',
  simulators: 'Devices that are simulated, and recordings that are stored once more.',
  uploads: 'Files whose records a replay stores.',
  seed: 'Files of what a service for tests holds at first.',
  chance: 'Whether ids, keys and tokens follow from a seed.',
  faults: 'What goes wrong on purpose.',
  backup: 'All that is kept, or a part of it, as one file and back.',
  handover: 'Devices as a signed package.',
  snapshots: 'Accounts as they were.',
  secrets: 'Where keys and tokens are kept.',
  sync: 'What another Fieldbench hands over.',
  accounts: 'Accounts of the installation.',
  rules: 'Conditions under which devices raise alarms.',
  alarms: 'Firings of rules on devices.',
  alerts: 'What is wrong with devices now.',
  audit: 'Who changed what.',
  keys: 'API keys of an account.',
  access: 'What an API key may do.',
  jobs: 'Long work under way.',
  status: 'The service itself.',
  doors: 'Where the service listens.',
  openapi: 'This document.',
  integrations: 'How devices store records.',
};

/** Parameters of paths and queries, by name. */
export const PARAMETERS: Readonly<Record<string, string>> = {
  page: 'The page, from 1.',
  limit: 'Items a page.',
  search:
    'Words that all occur in name, id, tags, brand, model or description; case and accents do not matter.',
  tags: 'Tags separated by ",": the device has all of them, exactly so.',
  any_tags: 'Tags separated by ",": the device has at least one of them.',
  not_tags: 'Tags separated by ",": the device has none of them.',
  ids: 'Ids separated by ",": these devices alone.',
  outside:
    '"true" for devices of which a last value lies outside of its normal range, "false" for the others.',
  values: 'Up to how many last values of each device.',
  source: 'How the device stores records.',
  sort: '"seen": latest seen first, as Fetch devices; "created": newest first; "name": by name, numbers in it by value; "status": late, never, online; "records": most first.',
  range: '"all", or "time" for the records from `start` to `end`.',
  start:
    'First time, included. Fetch data needs it with `range=time` and does not look at it with `range=all`.',
  end: 'Last time, included. Fetch data needs it with `range=time` and does not look at it with `range=all`.',
  keys: 'Data keys separated by ",". Blanks around each are trimmed and empty ones dropped, so a key that begins or ends with a blank cannot be named, and a text of nothing but blanks and commas means all keys, as no text does.',
  key: 'A data key.',
  view: 'Records as they were stored, or through the corrections of their device.',
  width: 'Columns of the picture.',
  curves: '"true": with the minimum and maximum of each quarter of an hour.',
  device_id: 'A device of the project; absent, all of them.',
  function_id: 'A rule of the project; absent, all of them.',
  reason: 'Why, for the audit trail and the history; needed where the project asks for one.',
  snapshot: 'A snapshot of the account.',
  account_id: "An account; absent, the key's own.",
  door: 'Where it came in: `ws` is MQTT over a WebSocket.',
  status:
    'Of devices "online", "late" or "never": whether a device stores as often as it should. Of requests "accepted", "refused", or a status of HTTP or reason code of MQTT 5.',
  since: 'First time of receipt, included.',
  after:
    'Of records, the place that an answer before named: those that came behind it. Of requests, a `change`: those that came, or were counted in `more`, since.',
  before: 'Requests whose `id` is smaller; entries of the audit trail whose number is.',
  by: 'Who changed it: id or name of an API key, name of a user, "browser", or a kind: "key", "window", "command line", "service".',
  within_ms: 'How long it waits where nothing is there yet, in ms.',
  gap_s: 'A longer silence, in seconds, is a gap; absent, ten of the usual intervals.',
  format: 'How the records are written.',
  delimiter: 'CSV: what stands between fields.',
  time_column:
    'CSV: name of the column of times; empty where the rows carry none and the time of receipt counts.',
  date_order: 'CSV: how to read dates such as 04/02/2015.',
  zone: 'An IANA time zone: of times that carry none in an import, and whose time an exported CSV shows, with its offset; UTC there where it is absent.',
  from: 'Bytes at the beginning that are there already; what `Range: bytes=n-` says.',
  state:
    'Of a file, the state that the bytes which are there are of, as the ETag says it: where it is another now, the whole file comes. Of alarms, how they are; `due`: open, or acknowledged by nobody.',
  columns: 'CSV: the columns to import, separated by ","; absent, all but row numbers and the time.',
  also: 'Excel: ids of further devices of the project, a sheet each, separated by ",".',
  titles: 'CSV, Excel: columns are called as their keys, or as these are shown, with their units.',
  notes: 'CSV: whether the notes of the span stand before the names, as lines that begin with "# note".',
  units_row: 'CSV: whether the row below the names holds units.',
  units_line: 'CSV: the line that holds units, from 1: above the names, or one of the three rows below them.',
  names: 'CSV: data keys for columns, a JSON object of texts by their names.',
  existing:
    'Records that the device has already, with the same time, keys and values: they are added, or skipped.',
  removed: 'Records that were removed here after they had been received: they are left out, or stored again.',
  on_error: 'What a row that cannot be read does: nothing is imported, or the others are kept.',
  passphrase:
    'What the secrets of the backup are encrypted with, percent-encoded UTF-8; absent, they are left out.',
};
