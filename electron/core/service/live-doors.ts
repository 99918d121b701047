import type { CheckedInput } from '#shared/operations/index.ts';
import { DOOR_NAMES, type DoorName, type DoorsNow } from '#shared/operations/service/doors.ts';
import type { LiveDoors } from '../api/context.ts';
import type { Config } from '../base/config.ts';
import { EVERYWHERE, LOOPBACK, writeDoorSettings, type DoorSettings } from './door-settings.ts';
import { badRequest, StartError } from '../base/errors.ts';
import type { Files } from '../disk/files.ts';
import type { Doors } from '../http/server.ts';
import type { MqttDoors } from '../mqtt/doors.ts';
import { PortError } from '../net/listen.ts';
import type { Place } from '../net/movable-door.ts';
import { isLoopback, networkHosts } from '../tls/names.ts';
import { Serial } from '../turns/serial.ts';

/** Move of a door, and its way back. */
interface Move {
  readonly name: DoorName;
  readonly go: () => Promise<void>;
  readonly back: () => Promise<void>;
}

type Given = CheckedInput<'doors.update'>;

/** Listeners ("doors") of a running service, and their changes, one after the other. */
export function createLiveDoors(options: {
  readonly config: Config;
  /** Of the data directory. */
  readonly files: Files;
  readonly chosen: DoorSettings;
  readonly http: Doors;
  readonly mqtt: MqttDoors;
  /** Called when addresses have changed. */
  readonly moved: () => void;
}): LiveDoors {
  const { config, files, http, mqtt, moved } = options;
  const { directory } = config;
  const flags = config.flags ?? new Set(DOOR_NAMES);
  const fixed = config.strict
    ? 'With --strict the doors are as the start says.'
    : config.tls
      ? null
      : 'With --tls off there is one door, which the start says.';
  const serial = new Serial();
  let chosen = options.chosen;
  let { host } = config;

  const now = (): DoorsNow => ({
    fixed,
    flags: DOOR_NAMES.filter((name) => flags.has(name)),
    network: !isLoopback(host),
    hosts: networkHosts(isLoopback(host) ? EVERYWHERE : host),
    https_port: config.tls ? (http.base.door?.port ?? null) : null,
    http_port: config.tls ? (http.beside.door?.port ?? null) : (http.base.door?.port ?? null),
    mqtt_port: mqtt.doors?.plain.door?.port ?? null,
    mqtts_port: mqtt.doors?.secure.door?.port ?? null,
  });

  /** In the order in which they are tried. */
  function movesFor(given: Given): Move[] {
    const before = now();
    const hostBefore = host;
    const hostAfter =
      given.network === undefined || given.network === before.network
        ? host
        : given.network
          ? EVERYWHERE
          : LOOPBACK;
    const moves: Move[] = [];
    const add = (
      name: DoorName,
      door: { move(to: Place | null): Promise<void> },
      from: Place | null,
      to: Place | null,
    ) => {
      if (from?.host !== to?.host || from?.port !== to?.port)
        moves.push({ name, go: () => door.move(to), back: () => door.move(from) });
    };
    const after = { ...before, ...withoutUndefined(given) };
    add('https_port', http.base, place(hostBefore, before.https_port), place(hostAfter, after.https_port));
    add('http_port', http.beside, place(LOOPBACK, before.http_port), place(LOOPBACK, after.http_port));
    if (mqtt.doors !== null) {
      const { plain, secure } = mqtt.doors;
      add('mqtt_port', plain, place(LOOPBACK, before.mqtt_port), place(LOOPBACK, after.mqtt_port));
      add('mqtts_port', secure, place(hostBefore, before.mqtts_port), place(hostAfter, after.mqtts_port));
    }
    moves.push({
      name: 'network',
      go: async () => void (host = hostAfter),
      back: async () => void (host = hostBefore),
    });
    return moves;
  }

  async function change(given: Given): Promise<DoorsNow> {
    const current = now();
    if (Object.keys(withoutUndefined(given)).length === 0) return current;
    if (fixed !== null) throw badRequest(fixed);
    for (const name of DOOR_NAMES)
      if (flags.has(name) && given[name] !== undefined && given[name] !== current[name])
        throw badRequest(
          `${name} is said by a flag of the start, which wins: start without it to choose here`,
        );
    const done: Move[] = [];
    try {
      for (const move of movesFor(given)) {
        await move.go().catch((error: unknown) => {
          if (!(error instanceof StartError)) throw error;
          const why = error instanceof PortError ? error.running : error.message;
          throw badRequest(`${move.name} cannot be had: ${why}`);
        });
        done.push(move);
      }
      const next = { ...chosen, ...withoutUndefined(given) };
      await writeDoorSettings({ directory, files }, next);
      chosen = next;
    } catch (error) {
      for (const move of done.toReversed()) await move.back();
      throw error;
    }
    moved();
    return now();
  }

  return {
    get host() {
      return host;
    },
    now,
    update: (given) => serial.run(() => change(given)),
  };
}

const place = (host: string, port: number | null | undefined): Place | null =>
  port === null || port === undefined ? null : { host, port };

function withoutUndefined(given: Given): DoorSettings {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
