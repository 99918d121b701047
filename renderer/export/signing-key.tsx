import { Stack, Text } from '@mantine/core';
import { fingerprintLines, TO_BE_TOLD } from '#shared/domain/fingerprint.ts';
import { Copyable } from '../components/facts/copyable.tsx';
import { Loading } from '../components/work/loading.tsx';
import { Problem } from '../components/work/problem.tsx';
import { signingKey } from '../stores/service.ts';

/** The key that signs what is handed over, as its reader has to be told it; `whole`: with the public key itself. */
export function SigningKey({ whole = false }: { readonly whole?: boolean }) {
  signingKey.useWatch('own');
  const { value, error } = signingKey.useValue('own');
  if (!value)
    return error === null ? (
      <Loading h={72} label="Loading the signing key" />
    ) : (
      <Problem message={error} onRetry={signingKey.reload} />
    );
  return (
    <Stack gap={6}>
      <Copyable label="Fingerprint of the signing key" value={fingerprintLines(value.fingerprint)} block />
      {whole && <Copyable label="Public key" value={value.public_key.trimEnd()} block />}
      <Text size="sm" c="dimmed">
        {TO_BE_TOLD}
      </Text>
    </Stack>
  );
}
