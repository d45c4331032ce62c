// The pages that use Ant Design: its code and theme load with the first of them.
import { Outlet } from 'react-router';
import { AntdProvider } from '@/ui/antd';

export function Component() {
  return (
    <AntdProvider>
      <Outlet />
    </AntdProvider>
  );
}
