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
import { sayNotImported } from './components/work/not-imported.ts';
import { loadTheRest } from './later.tsx';
import { cssVariables, theme } from './theme.ts';

// The browser must not open a dropped file in place of the app, whether or not something takes it.
window.addEventListener('dragover', (event) => event.preventDefault());
window.addEventListener('drop', (event) => {
  const files = [...(event.dataTransfer?.files ?? [])];
  if (!event.defaultPrevented && files.length > 0) sayNotImported(files);
  event.preventDefault();
});

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element "root".');

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <Notifications position="bottom-right" autoClose={6000} classNames={{ root: 'notices' }} />
      <App />
    </MantineProvider>
  </StrictMode>,
);

// Whoever takes the service away may know when nothing of the app is missing any more.
void loadTheRest().then(() => document.documentElement.setAttribute('data-whole', ''));
