/** Name of the company beside the product's sign: asked for once the first page is there, and known from the visit before until then. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLater } from '~/data/later.ts';
import { readItem, writeItem } from './display.ts';
import { waysInQuery } from './sign-in.ts';

const key = 'countersign.tenant';

/** The name; empty where it is not known yet. */
export function useTenantName(): string {
  const name = useQuery({ ...waysInQuery, enabled: useLater() }).data?.tenant;
  useEffect(() => {
    if (name !== undefined) {
      writeItem(key, name);
    }
  }, [name]);
  return name ?? readItem(key);
}
