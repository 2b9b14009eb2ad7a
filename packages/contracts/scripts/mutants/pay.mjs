// Payments of a part of what is held, such as an integrator's fee.

const EXECUTOR = 'src/Executor.sol'
const HOPS = 'src/libraries/Hops.sol'

export const MUTANTS = [
  [EXECUTOR, 'if (hop.tokenOut() != index) revert PaymentTokens(index, hop.tokenOut());', ''],
  [EXECUTOR, 'if (ppm > MAX_PAYMENT_PPM) revert PaymentTooHigh(ppm);', ''],
  [EXECUTOR, 'ppm > MAX_PAYMENT_PPM', 'ppm >= MAX_PAYMENT_PPM'],
  [EXECUTOR, 'MAX_PAYMENT_PPM = 10_000', 'MAX_PAYMENT_PPM = 10_001'],
  [
    EXECUTOR,
    'if (to == address(this) || to == router) revert PaymentRefused(to);',
    'if (to == router) revert PaymentRefused(to);',
  ],
  [
    EXECUTOR,
    'if (to == address(this) || to == router) revert PaymentRefused(to);',
    'if (to == address(this)) revert PaymentRefused(to);',
  ],
  [EXECUTOR, 'held[index] * ppm / PPM', '(held[index] * ppm + PPM - 1) / PPM'],
  [EXECUTOR, 'held[index] * ppm / PPM', 'Tokens.balanceOf(token, address(this)) * ppm / PPM'],
  [EXECUTOR, 'held[index] -= amount;', ''],
  [EXECUTOR, 'Tokens.transfer(token, to, amount)', 'Tokens.transfer(token, to, amount - 1)'],
  [EXECUTOR, 'PPM = 1_000_000', 'PPM = 1_000_001'],
  [HOPS, 'family == PAY ? 26 : 27', '27'],
]
