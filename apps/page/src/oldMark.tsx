/** Marks a greyed picture as not current, for visitors who cannot see the colour. */
export function OldMark() {
  return <span class="chip old-mark">not current</span>
}
