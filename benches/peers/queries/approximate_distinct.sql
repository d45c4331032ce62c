-- Roughly how many different senders, receivers and hashes.
select {approx_distinct:from_address} as senders, {approx_distinct:to_address} as receivers,
  {approx_distinct:hash} as hashes
from transactions
