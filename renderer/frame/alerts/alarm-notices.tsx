import { useEffect, useRef } from 'react';
import type { Alarm } from '#shared/operations/metadata/alarms.ts';
import { alarmLine } from '../../components/alarms/alarm-words.ts';
import { countOf } from '../../format.ts';
import { goTo } from '../../router.ts';
import { dueAlarms } from '../../stores/alarms/alarms.ts';
import { sounds, tell, type Heard } from '../../stores/alarms/fresh.ts';
import { useNotices } from '../../stores/alarms/notices.ts';
import { playSound } from '../../stores/alarms/sound.ts';
import { nowMicros } from '../../time.ts';

/** Alarms that one notification names. */
const NAMED = 3;

/** Tells of alarms that are raised while the window is open, by the desktop and by a sound; draws nothing. */
export function AlarmNotices() {
  const { value } = dueAlarms.useValue('all');
  const heard = useRef<Heard | null>(null);
  useEffect(() => {
    if (!value) return;
    const told = tell(heard.current, value.alarms, value.as_of);
    heard.current = told.heard;
    if (told.fresh.length > 0) announce(told.fresh);
  }, [value]);
  return null;
}

function announce(fresh: readonly Alarm[]): void {
  const { allowed, hasSound } = useNotices.getState();
  if (allowed === 'granted') notify(fresh);
  // Where the machine has nothing that sounds, or the browser lets it not, the notification and the counter are there.
  if (hasSound && fresh.some(sounds)) playSound().catch(() => {});
}

/** Joined notification; of several windows of a browser the last one's takes the place of the others'. */
function notify(fresh: readonly Alarm[]): void {
  const [first] = fresh;
  if (!first) return;
  const now = nowMicros();
  const isOne = fresh.length === 1;
  const lines = fresh.slice(0, NAMED).map((alarm) => `${alarm.device} · ${alarmLine(alarm, now)}`);
  const more = fresh.length > NAMED ? [`and ${countOf(fresh.length - NAMED, 'more', 'more')}`] : [];
  const shown = new Notification(
    isOne ? `Alarm: ${first.rule}, ${first.device}` : countOf(fresh.length, 'alarm'),
    { body: [...lines, ...more].join('\n'), tag: `fieldbench ${isOne ? first.id : 'alarms'}` },
  );
  shown.addEventListener('click', () => {
    window.focus();
    goTo({ screen: 'alarms', ...(isOne && { open: first.id }) });
    shown.close();
  });
}
