/** Says in words what greyed pictures say by colour. */
export function OldMark() {
  return <span class="chip old-mark">not current</span>
}
