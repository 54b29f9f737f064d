"""The plugins that all tests share: their tiers, and the summary of skipped tests."""

pytest_plugins = ["tests.support.tiers", "tests.support.wanting"]
