/** The mark: three strands. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <path class="strand-1" d="M4 8c11 0 13 16 24 16" />
      <path class="strand-2" d="M4 24c11 0 13-16 24-16" />
      <path class="strand-3" d="M4 16h24" />
    </svg>
  )
}

/** Two arrows, up and down. */
export function FlipIcon() {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d="M6.5 3.5v12m0 0L3 12m3.5 3.5L10 12M13.5 16.5v-12m0 0L10 8m3.5-3.5L17 8" />
    </svg>
  )
}

/** A small arrow down, for a button that opens a list. */
export function OpenIcon() {
  return (
    <svg class="icon small" viewBox="0 0 20 20" aria-hidden="true">
      <path d="m5 8 5 5 5-5" />
    </svg>
  )
}

/** A small i in a circle, for a name that explains itself when pressed. */
export function InfoIcon() {
  return (
    <svg class="icon info" viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="7.5" />
      <path d="M10 9v5M10 6v.2" />
    </svg>
  )
}

/** A half-filled disc for the theme button. */
export function ThemeIcon() {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="6.5" />
      <path class="filled" d="M10 3.5a6.5 6.5 0 0 1 0 13z" />
    </svg>
  )
}

/** A tick in a seal: the operator's token list contains the token. */
export function VerifiedIcon() {
  return (
    <svg class="icon verified" viewBox="0 0 20 20" role="img" aria-label="verified">
      <circle cx="10" cy="10" r="8" />
      <path d="m6.2 10.2 2.6 2.6 5-5.4" />
    </svg>
  )
}
