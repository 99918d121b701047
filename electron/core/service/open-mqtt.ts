import type { Config } from '../base/config.ts';
import { openMqtt, type Mqtt, type MqttOptions } from '../mqtt/mqtt.ts';
import type { Backend } from '../backend/backend.ts';

/** Opens MQTT behind its doors; null where there is none. What it found is logged; closing tells clients, for at most so many ms. */
export async function openMqttFor(
  { strict }: Pick<Config, 'strict'>,
  parts: Omit<MqttOptions, 'journal' | 'isShared'> & Pick<Backend, 'journal' | 'messages'>,
  { stack, graceMs }: { readonly stack: AsyncDisposableStack; readonly graceMs: number },
): Promise<Mqtt | null> {
  if (strict) return null;
  const journal = parts.journal('mqtt-sessions', 1);
  const opened = await openMqtt({ ...parts, journal, isShared: parts.messages !== null });
  stack.defer(() => opened.close(graceMs));
  for (const note of opened.notes) parts.log.warn(note);
  return opened;
}
