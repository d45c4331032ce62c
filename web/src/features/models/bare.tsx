// The short addresses of the models lead to the full ones, with their query string.
import { Navigate, useLocation } from 'react-router';
import { paths } from '@/lib/paths';
import { base, modelAt } from './registry';

export function Component() {
  const { pathname, search } = useLocation();
  const path = pathname.replace(/^\/+|\/+$/g, '');
  return <Navigate to={path === 'test' || modelAt(path) ? `${base}/${path}${search}` : paths.notFound} replace />;
}
