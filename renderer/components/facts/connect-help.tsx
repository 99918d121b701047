import { Box, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import type { Source } from '#shared/domain/sources.ts';
import { status } from '../../stores/service.ts';
import { Copyable } from './copyable.tsx';
import { LANGUAGES } from './snippets/languages.ts';
import type { DeviceLogin } from './snippets/reading.ts';
import { SOURCE_DOORS } from './snippets/source-doors.ts';

interface ConnectHelpProps {
  readonly source: Source;
  readonly login: DeviceLogin;
  /** Shows dots instead of the token until asked; what is copied has it. */
  readonly secret?: boolean;
}

const DOTS = '••••••••';

/** Snippets that store a first reading when run as pasted, in the language of one's choice. */
export function ConnectHelp({ source, login, secret = false }: ConnectHelpProps) {
  status.useWatch('service');
  const { value } = status.useValue('service');
  const languages = LANGUAGES[source];
  const [chosen, setChosen] = useState(languages[0]?.name ?? '');
  if (!value || !SOURCE_DOORS[source].isOpen(value)) return null;
  const written = languages.find(({ name }) => name === chosen)?.write(value, login) ?? null;
  return (
    <Box>
      <SegmentedControl
        mb="sm"
        aria-label="Store a first reading with"
        value={chosen}
        onChange={setChosen}
        data={languages.map(({ name }) => name)}
      />
      {written === null && (
        <Text size="sm" c="dimmed">
          Only the door over TLS is open, and where the certificate authority to trust lies is told to the
          owner of this installation alone.
        </Text>
      )}
      {written?.isOutOfReach && (
        <Text size="sm" mb="sm">
          For a board in the network: only this machine reaches the address in it now.
        </Text>
      )}
      {written && (
        <Copyable
          key={chosen}
          label="Store a first reading"
          value={written.text}
          secret={secret && written.text.replaceAll(login.device_token, DOTS)}
          block
        />
      )}
    </Box>
  );
}
