/** Menus close when something else is meant: a press elsewhere, Escape, or a choice made. */

export function tendMenus() {
  const menus = [...document.querySelectorAll("details[data-menu]")].map(
    (menu) => /** @type {HTMLDetailsElement} */ (menu),
  );
  const close = (/** @type {HTMLDetailsElement} */ menu) => {
    menu.open = false;
  };
  document.addEventListener("pointerdown", (event) => {
    for (const menu of menus)
      if (menu.open && !menu.contains(/** @type {Node} */ (event.target))) close(menu);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of menus) {
      if (!menu.open) continue;
      close(menu);
      menu.querySelector("summary")?.focus();
      event.preventDefault();
    }
  });
  for (const menu of menus) {
    menu.addEventListener("focusout", (event) => {
      if (event.relatedTarget instanceof Node && !menu.contains(event.relatedTarget)) close(menu);
    });
    menu.querySelector(".menu__sheet")?.addEventListener("click", (event) => {
      if (event.target instanceof Element && event.target.closest("button, a")) {
        close(menu);
        // Where a dialog opens, it returns the focus here when it closes.
        menu.querySelector("summary")?.focus();
      }
    });
  }
}
