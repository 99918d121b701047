import { Button, Group, Text } from '@mantine/core';
import { IconCloudUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { OtherService } from '#shared/operations/service/other-services.ts';
import type { Pushed, PushPlan } from '#shared/operations/records/push.ts';
import { useOffline } from '../../bridge/connection.ts';
import { useSubmit } from '../../components/dialog/use-submit.ts';
import { Screen } from '../../components/screen/screen.tsx';
import { OfflineNotice } from '../../components/work/offline-notice.tsx';
import { Problem } from '../../components/work/problem.tsx';
import { countOf } from '../../format.ts';
import { otherServices } from '../../stores/other-services.ts';
import { projects } from '../../stores/projects.ts';
import { PlanTable } from './plan-table.tsx';
import { planWords, projectWords, pushedWords } from './plan-words.ts';
import { NO_LAB, PushForm, type Choices } from './push-form.tsx';
import { startPlan, startRun } from './start-push.ts';
import classes from './push-screen.module.css';

const NO_SERVICES: readonly OtherService[] = [];

/** Where there is but one service that takes anything from here it is the lab, unless somebody chooses otherwise. */
function onlyOne(services: readonly OtherService[]): string | null {
  const [one, ...others] = services.filter(({ read_only }) => !read_only);
  return one && others.length === 0 ? one.id : null;
}

/** Push of a project to a lab: the plan first, then exactly that plan. */
export function PushScreen({ project_id }: { readonly project_id: string }) {
  projects.useWatch('all');
  const name = projects.useValue('all').value?.find(({ id }) => id === project_id)?.name;
  otherServices.useWatch('all');
  const services = otherServices.useValue('all').value ?? NO_SERVICES;
  const [given, setGiven] = useState<Choices | null>(null);
  const choices = given ?? { ...NO_LAB, service: onlyOne(services) };
  const lab = services.find(({ id }) => id === choices.service)?.name ?? choices.to.trim();
  const [into, setInto] = useState<Readonly<Record<string, string>>>({});
  const [plan, setPlan] = useState<PushPlan | null>(null);
  const [pushed, setPushed] = useState<Pushed | null>(null);
  const offline = useOffline();
  const sendButton = useRef<HTMLButtonElement>(null);

  const planning = useSubmit(async () => {
    setPlan(null);
    setPushed(null);
    setPlan(await startPlan(project_id, choices, lab, into));
  });
  const sending = useSubmit(async () => {
    if (plan !== null) setPushed(await startRun(project_id, plan, choices, lab));
  });
  const busy = planning.busy || sending.busy;
  // Once the plan is there, what most want next is at hand.
  useEffect(() => {
    if (plan !== null) sendButton.current?.focus({ preventScroll: true });
  }, [plan]);

  const change = (changed: Choices) => {
    setGiven(changed);
    // What is shown is not what these choices would send.
    setPlan(null);
    setPushed(null);
  };
  const sendInto = (id: string, target: string) => {
    setInto({ ...into, [id]: target });
    setPlan(null);
  };
  const aboutProject = plan && !pushed ? projectWords(plan) : null;
  const ofProject = pushed?.projects[0]?.problem ?? null;
  return (
    <Screen
      title={name === undefined ? 'Push to a lab' : `Push ${name} to a lab`}
      description={
        pushed
          ? pushedWords(pushed)
          : plan
            ? planWords(plan)
            : 'Sends what another Fieldbench lacks. Nothing is sent before you have seen the plan, and nothing is ever deleted there.'
      }
    >
      <PushForm
        services={services}
        value={choices}
        onChange={change}
        error={planning.error}
        busy={busy}
        onSubmit={planning.run}
      />
      {planning.error !== null && <Problem message={planning.error} />}
      {sending.error !== null && <Problem message={sending.error} />}
      {ofProject !== null && <Problem message={ofProject} />}
      {aboutProject !== null && <Text size="sm">{aboutProject}</Text>}
      {plan && <PlanTable plan={plan} pushed={pushed} onInto={sendInto} />}
      <Group justify="flex-end" gap="sm" className={classes['foot'] ?? ''}>
        <OfflineNotice />
        <Button
          variant={plan ? 'default' : 'filled'}
          onClick={planning.run}
          loading={planning.busy}
          disabled={offline || sending.busy}
        >
          {Object.keys(into).length > 0 && !plan ? 'Plan again' : 'Plan'}
        </Button>
        {plan && !pushed && (
          <Button
            ref={sendButton}
            leftSection={<IconCloudUpload size={16} />}
            onClick={sending.run}
            loading={sending.busy}
            disabled={offline || planning.busy}
          >
            {plan.send > 0 ? `Send ${countOf(plan.send, 'record')}` : 'Send'}
          </Button>
        )}
      </Group>
    </Screen>
  );
}
