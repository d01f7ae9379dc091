"""The doors: shell scripts that anyone may call, and the programs behind them."""
