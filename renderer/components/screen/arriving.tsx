import { Skeleton } from '@mantine/core';
import { useEffect } from 'react';
import { focusHeading } from './screen.tsx';
import classes from './screen.module.css';
import { Loading } from '../work/loading.tsx';

/** Placeholder of a screen whose code is loading. Its heading gets the focus once it is there, as any other's. */
export function Arriving() {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (document.activeElement === before || document.activeElement === document.body) focusHeading();
    };
  }, []);
  return (
    <main className={classes['screen']} aria-busy>
      <Loading h={28} w={220} label="Loading the screen" />
      <Skeleton h={220} aria-hidden />
    </main>
  );
}
