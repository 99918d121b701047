import type { InputOf } from '#shared/operations/index.ts';
import type { Pushed, PushPlan } from '#shared/operations/records/push.ts';
import { ask } from '../../bridge/ask.ts';
import { countOf } from '../../format.ts';
import { startWork, watchJob, type Started } from '../../stores/jobs.ts';
import { pushedWords } from './plan-words.ts';
import type { Choices } from './push-form.tsx';

/** How the lab is reached and trusted. */
function reachOf({ service, to, key, trust }: Choices) {
  if (service !== null) return { service };
  const text = trust.trim();
  const isPem = text.startsWith('-----BEGIN');
  return {
    to: to.trim(),
    key: key.trim(),
    ...(text !== '' && (isPem ? { ca: text } : { fingerprint: text })),
  };
}

/** The screen says itself why it failed. */
async function here<T>({ id, finished }: Started<T>): Promise<T> {
  const unwatch = watchJob(id);
  try {
    return await finished;
  } finally {
    unwatch();
  }
}

/** Makes a plan for a lab that people know as `lab`, as a row of the jobs tray. Rejects with `Refused`, or where it was cancelled there. */
export function startPlan(
  project_id: string,
  choices: Choices,
  lab: string,
  into: Readonly<Record<string, string>>,
): Promise<PushPlan> {
  const { sendsRemoved, prefersHere } = choices;
  const input: InputOf<'push.plan'> = {
    ...reachOf(choices),
    project_ids: [project_id],
    removed: sendsRemoved ? 'send' : 'leave-out',
    conflicts: prefersHere ? 'here' : 'lab',
    into: { ...into },
  };
  return here(
    startWork({
      verb: 'Plan a push',
      about: lab,
      unit: 'devices',
      job: { kind: 'push', project_id, device_id: null },
      run: (_progress, signal) => ask('push.plan', input, { signal }),
      outcome: ({ send }) => ({ text: `${countOf(send, 'record')} to send` }),
    }),
  );
}

/** Sends what the plan says, as a row of the jobs tray. Rejects with `Refused`, or where it was cancelled there. */
export function startRun(project_id: string, plan: PushPlan, choices: Choices, lab: string): Promise<Pushed> {
  return here(
    startWork({
      verb: 'Push',
      about: lab,
      unit: 'records',
      total: plan.send,
      job: { kind: 'push', project_id, device_id: null },
      run: (_progress, signal) => ask('push.run', { ...reachOf(choices), plan }, { signal }),
      outcome: (pushed) => ({ text: pushedWords(pushed) }),
    }),
  );
}
