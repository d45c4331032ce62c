// Ends the login on the server and here.
import { useNavigate } from 'react-router';
import { logout } from '@/api/account';
import { paths } from '@/lib/paths';
import { clearSession } from '@/lib/session';
import { settleNotices } from '@/ui/notices';

export function useSignOut(): () => void {
  const navigate = useNavigate();
  return () => {
    // A server that can't be reached does not keep a person signed in here.
    void settleNotices()
      .then(logout)
      .catch((error: unknown) => console.warn('The server did not end the login', error))
      .then(() => {
        clearSession();
        return navigate(paths.home);
      });
  };
}
