// The route of all models: finds the one at the address, and shows it.
import { useMemo } from 'react';
import { Navigate, useParams } from 'react-router';
import { paths } from '@/lib/paths';
import { ModelPage } from './model-page';
import { modelAt } from './registry';
import { TestPage } from './test-page';

export function Component() {
  const path = useParams()['*'] ?? '';
  const match = useMemo(() => modelAt(path.replace(/\/+$/, '')), [path]);
  if (path === '') return <Navigate to={paths.models} replace />;
  if (path === 'test') return <TestPage />;
  if (!match) return <Navigate to={paths.notFound} replace />;
  // Values, cursor and selection belong to one model.
  return <ModelPage key={match.model.id} model={match.model} params={match.params} />;
}
