import {
  Button,
  Group,
  NativeSelect,
  PasswordInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { MAIL_SECURITY, type MailSettings } from '#shared/operations/service/settings.ts';
import { ask } from '../../../bridge/ask.ts';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { Problem } from '../../../components/work/problem.tsx';
import { settings } from '../../../stores/storage.ts';
import { Part } from '../parts.tsx';
import { wholeTyped } from '../whole-typed.ts';

type Now = (MailSettings & { readonly has_password: boolean }) | null;

interface Draft {
  readonly host: string;
  readonly port: string;
  readonly security: MailSettings['security'];
  readonly from: string;
  readonly user: string;
  readonly password: string;
}

const SECURITY: Readonly<Record<MailSettings['security'], string>> = {
  tls: 'TLS from the first byte',
  starttls: 'STARTTLS',
  none: 'None',
};
const PORTS: Readonly<Record<MailSettings['security'], string>> = { tls: '465', starttls: '587', none: '25' };
const NO_DRAFT: Draft = { host: '', port: PORTS.tls, security: 'tls', from: '', user: '', password: '' };
const draftOf = (now: Now): Draft =>
  now === null ? NO_DRAFT : { ...now, port: String(now.port), password: '' };

/** The SMTP server by which rules send mails, and a mail to try it. */
export function MailPart({ now }: { readonly now: Now }) {
  const [typed, setTyped] = useState<Draft | null>(null);
  const draft = typed ?? draftOf(now);
  const set = (part: Partial<Draft>) => setTyped({ ...draft, ...part });
  const save = useSubmit(async () => {
    const { host, port, security, from, user, password } = draft;
    const mail = {
      host: host.trim(),
      port: wholeTyped('mail.port', port, 1, 65_535),
      security,
      from: from.trim(),
      user: user.trim(),
      ...(password !== '' && { password }),
    };
    await ask('settings.update', { mail });
    setTyped(null);
    settings.reload();
  });
  const remove = useSubmit(async () => {
    await ask('settings.update', { mail: null });
    setTyped(null);
    settings.reload();
  });
  const problem = save.error ?? remove.error;
  const errorOf = (field: keyof Draft) =>
    problem?.startsWith(`mail.${field} `) ? problem.slice(`mail.${field} `.length) : undefined;
  const isOfField = Object.keys(draft).some((field) => errorOf(field as keyof Draft) !== undefined);
  const text = (field: 'host' | 'port' | 'from' | 'user', label: string, placeholder: string) => (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={draft[field]}
      onChange={({ currentTarget }) => set({ [field]: currentTarget.value })}
      error={errorOf(field)}
      autoComplete="off"
      spellCheck={false}
    />
  );
  return (
    <Part title="Mails of rules">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (typed !== null) save.run();
        }}
      >
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
            {text('host', 'SMTP server', 'mail.example.org')}
            {text('port', 'Port', '465')}
            <NativeSelect
              label="Security"
              value={draft.security}
              data={MAIL_SECURITY.map((value) => ({ value, label: SECURITY[value] }))}
              onChange={({ currentTarget }) => {
                const security = currentTarget.value as MailSettings['security'];
                const isUsual = Object.values(PORTS).includes(draft.port);
                set({ security, ...(isUsual && { port: PORTS[security] }) });
              }}
            />
            {text('from', 'From', 'fieldbench@example.org')}
            {text('user', 'User', 'none')}
            <PasswordInput
              label="Password"
              placeholder={now?.has_password ? 'kept' : 'none'}
              value={draft.password}
              onChange={({ currentTarget }) => set({ password: currentTarget.value })}
              error={errorOf('password')}
              autoComplete="new-password"
            />
          </SimpleGrid>
          {problem !== null && !isOfField && <Problem message={problem} />}
          <Group gap="xs">
            <Button type="submit" loading={save.busy} disabled={typed === null}>
              Apply
            </Button>
            {typed !== null && (
              <Button variant="default" onClick={() => setTyped(null)}>
                Leave it as it is
              </Button>
            )}
            {now !== null && typed === null && (
              <Button variant="subtle" loading={remove.busy} onClick={remove.run}>
                Send no mails
              </Button>
            )}
          </Group>
        </Stack>
      </form>
      {now !== null && typed === null && <TestMail />}
    </Part>
  );
}

/** Sends a mail to an address by what is saved. */
function TestMail() {
  const [to, setTo] = useState('');
  const [sent, setSent] = useState<string | null>(null);
  const submit = useSubmit(async () => {
    setSent(null);
    const { problem } = await ask('settings.test-mail', { to: to.trim() });
    if (problem !== null) throw new Error(problem);
    setSent(to.trim());
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit.run();
      }}
    >
      <Group gap="xs" align="flex-end">
        <TextInput
          label="Try it: send a mail to"
          placeholder="name@example.org"
          value={to}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit" variant="default" loading={submit.busy} disabled={to.trim() === ''}>
          Send
        </Button>
      </Group>
      {submit.error !== null && <Problem message={submit.error.replace(/^to /, '')} />}
      <Text size="sm" role="status" mt={4}>
        {sent !== null && `The server took a mail to ${sent}.`}
      </Text>
    </form>
  );
}
