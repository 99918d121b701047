import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '@mantine/core/styles.css';
import '@mantine/dropzone/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './styles.css';
import { App } from './app.tsx';
import { loadTheRest } from './later.tsx';
import { cssVariables, NOTICES_LAYER, theme } from './theme.ts';

// What takes dropped files comes a moment later; until then the browser must not open one in place of the app.
for (const type of ['dragover', 'drop'] as const)
  window.addEventListener(type, (event) => event.preventDefault());

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element "root".');

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <Notifications
        position="bottom-right"
        autoClose={6000}
        zIndex={NOTICES_LAYER}
        classNames={{ root: 'notices' }}
      />
      <App />
    </MantineProvider>
  </StrictMode>,
);

// Whoever takes the service away may know when nothing of the app is missing any more.
void loadTheRest().then(() => document.documentElement.setAttribute('data-whole', ''));
