import { Anchor, Paper, Stack, Text, Title } from '@mantine/core';
import { useMay } from '../../../bridge/distant.ts';
import { hrefTo } from '../../../router.ts';
import { useDecoders } from '../../../stores/decoders.ts';

interface SendsBytesProps {
  readonly project_id: string;
  readonly device_id: string;
}

/** The way to a decoder, for a device that sends bytes; where it has one, what it is called. Nothing where there can be none. */
export function SendsBytes({ project_id, device_id }: SendsBytesProps) {
  const [decoder] = useDecoders(project_id, device_id);
  const mayAdd = useMay('functions.list', 'functions.create');
  if (!decoder && !mayAdd) return null;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="connect-bytes">
      <Stack gap="xs">
        <Title order={2} size="h5" id="connect-bytes">
          This device sends bytes
        </Title>
        <Text size="sm">
          {decoder
            ? `They are decoded by “${decoder.name}”.`
            : 'A sensor behind a LoRaWAN gateway sends bytes instead of JSON. The script of its maker says what they mean.'}{' '}
          <Anchor
            href={hrefTo({ screen: 'device', project_id, device_id, tab: 'decoder' })}
            inherit
            underline="always"
          >
            {decoder ? 'Open the decoder' : 'Add its decoder'}
          </Anchor>
        </Text>
      </Stack>
    </Paper>
  );
}
